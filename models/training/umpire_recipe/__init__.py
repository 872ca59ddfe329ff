"""Trains, calibrates and exports Umpire's models. README.md says how to use it."""

import os

# onnxruntime otherwise reports models and sessions to its maker. It reads this variable when it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
