"""Makes a released model from its description in releases/<id>."""
