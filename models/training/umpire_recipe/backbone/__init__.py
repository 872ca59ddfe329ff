"""The encoder that training starts from: a folder in hub layout."""
