#!/bin/sh
# kustomize starts functions without arguments: what the spec is stands in MESHROLL_ROLLOUTS, or next to this file.
exec meshroll mutate --file "${MESHROLL_ROLLOUTS:-$(dirname "$0")/rollouts.yml}"
