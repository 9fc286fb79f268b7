"""The rows of one file, then those of another: python stack_rows.py A.npy B.npy OUT.npy"""
import sys

import numpy as np

np.save(sys.argv[3], np.concatenate([np.load(sys.argv[1]), np.load(sys.argv[2])]))
