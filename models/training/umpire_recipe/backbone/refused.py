class BackboneRefused(Exception):
    """The recipe cannot train this encoder. The message says why, in one sentence."""
