"""Fits a pack's temperatures and accuracy curves."""
