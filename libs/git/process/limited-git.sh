#!/bin/sh
# Runs git with the limits that the environment names, and its helpers with them: they inherit what is set here.
# An operating system that does not know a limit goes on without it; time and output are limited by the caller everywhere.
limit() {
  (ulimit "$1" "$2") 2>/dev/null && ulimit "$1" "$2"
}
limit -v "$MESHROLL_GIT_MEMORY_KIB"
limit -t "$MESHROLL_GIT_CPU_SECONDS"
# Of one file; a block has 512 bytes.
limit -f "$MESHROLL_GIT_FILE_BLOCKS"
limit -c 0
exec git "$@"
