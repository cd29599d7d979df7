#!/usr/bin/env bash
# The step of action.yml next to it. Inputs come by the environment: their text is never a part of a script.
set -euo pipefail
args=(mutate --filename "${MESHROLL_MANIFESTS:?}")
if [[ -n ${MESHROLL_REPO:-} ]]; then args+=(--repo "$MESHROLL_REPO"); else args+=(--file "${MESHROLL_ROLLOUTS:?}"); fi
if [[ -n ${MESHROLL_NAMESPACE:-} ]]; then args+=(--namespace "$MESHROLL_NAMESPACE"); fi
if [[ ${MESHROLL_WRITE:-false} == true ]]; then args+=(--write); else args+=(--check); fi
code=0
node "$GITHUB_ACTION_PATH/../../bin/meshroll.mjs" "${args[@]}" || code=$?
if ((code == 2)); then
  echo "::error title=meshroll mutate::labels above are not what the rollouts file says: meshroll mutate --write $MESHROLL_MANIFESTS"
fi
exit "$code"
