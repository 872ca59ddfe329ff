"""What training, the reference and the exported graphs must agree on about the network."""

import numpy as np

HEAD_SIZE = 32
EPSILON = 1e-12  # of every layer norm
MASKED = -1e4  # added to the attention score of padding: its softmax weight is then exactly 0 in fp32
# GELU never falls below -0.17. Rows of its outputs need few int8 steps below zero, which leaves nearly twice as many above.
GELU_FLOOR, GELU_ZERO = 0.17, 24

Tensors = dict[str, np.ndarray]  # by the names that the graphs use
