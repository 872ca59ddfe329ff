"""How text becomes what the network reads: text of a request, tokens, windows. Training and export both read this way."""
