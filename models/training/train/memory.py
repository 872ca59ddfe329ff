"""Keeps freed memory in the process. Steps of ever other shapes otherwise give tens of megabytes back and take them anew, page by page: on two
processors training then ran at 700 tokens a second instead of 7,000."""

import os
import sys

KEEP = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(2**35), "MALLOC_TOP_PAD_": str(2**28)}


def keep_freed_memory() -> None:
    """glibc reads these when a process starts: start once more with them. Elsewhere they mean nothing."""
    if sys.platform == "linux" and KEEP.keys() - os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | KEEP)
