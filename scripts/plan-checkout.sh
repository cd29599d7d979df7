#!/usr/bin/env bash
# The step "Plan" of action.yml: prints what the checked-out commit moves, compared with MESHROLL_BASE, in the fleet MESHROLL_FLEET.
set -euo pipefail
meshroll() { node "$GITHUB_ACTION_PATH/bin/meshroll.mjs" "$@"; }

if ! git rev-parse --quiet --verify "${MESHROLL_BASE:?}^{commit}" >/dev/null; then
  echo "::error title=meshroll plan::the commit to compare with is not in this checkout: give actions/checkout fetch-depth 0"
  exit 78
fi
# A copy with a branch main, which the checkout of a pull request lacks; the checkout stays unchanged.
copy=$(mktemp -d "${RUNNER_TEMP:-/tmp}/meshroll-plan.XXXXXX")
trap 'rm -rf "$copy"' EXIT
git clone --quiet --bare . "$copy"
git -C "$copy" update-ref refs/heads/main "$(git rev-parse "$MESHROLL_BASE^{commit}")"
git -C "$copy" update-ref refs/heads/meshroll-head "$(git rev-parse HEAD)"
plan=(plan --repo "file://$copy" --from main --to meshroll-head --fleet "$MESHROLL_FLEET")
meshroll "${plan[@]}" -o github
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  { echo '~~~~~text'; meshroll "${plan[@]}"; echo '~~~~~'; } >>"$GITHUB_STEP_SUMMARY"
fi
