#!/usr/bin/env bash
# Reviews BASE..HEAD of the repository around the current folder, which may be a shallow clone without BASE.
# In: BASE, FAIL_ON, REPORTS (a folder). Out: reports there, their names in GITHUB_OUTPUT, the review in
# GITHUB_STEP_SUMMARY; the exit code of the review.
set -eu
mkdir -p "$REPORTS"
if ! git cat-file -e "$BASE^{commit}" 2>/dev/null; then
  git fetch --quiet --no-tags --depth=1 origin "$BASE"
  case $BASE in
    *[!0-9a-f]*) BASE=$(git rev-parse FETCH_HEAD) ;;
  esac
fi
rpg encode >/dev/null
code=0
rpg review "$BASE..HEAD" --fail-on "$FAIL_ON" >"$REPORTS/review.md" || code=$?
for form in sarif junit; do
  ending=$form
  [ "$form" = junit ] && ending=xml
  rpg review "$BASE..HEAD" --format "$form" --fail-on never >"$REPORTS/review.$ending"
done
cat "$REPORTS/review.md"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$REPORTS/review.md" >>"$GITHUB_STEP_SUMMARY"
[ -z "${GITHUB_OUTPUT:-}" ] || printf '%s\n' "markdown=$REPORTS/review.md" "sarif=$REPORTS/review.sarif" \
  "junit=$REPORTS/review.xml" >>"$GITHUB_OUTPUT"
exit "$code"
