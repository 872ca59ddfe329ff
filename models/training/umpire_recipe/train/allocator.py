"""Makes glibc keep freed memory in the process.

Every step has other shapes. Without this, glibc returns tens of megabytes to the system after each step and takes them back page by page:
on two processors training ran at 700 tokens a second instead of 7,000.
"""

import os
import sys

KEEP = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(2**35), "MALLOC_TOP_PAD_": str(2**28)}


def keep_freed_memory() -> None:
    """Restarts the process with the settings, because glibc reads them at the start. Does nothing on other systems."""
    if sys.platform == "linux" and KEEP.keys() - os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | KEEP)
