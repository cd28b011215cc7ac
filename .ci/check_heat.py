#!/usr/bin/env python3
"""Checks the file that the README's main command wrote against PyTorch's second derivatives (standard library only)."""
import array, ast, struct, sys, zipfile


def load(path, member):
    data = zipfile.ZipFile(path).read(member + ".npy")
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10 : 10 + length].decode())
    numbers = array.array({"<f4": "f", "<f8": "d"}[header["descr"]], data[10 + length :])
    return header["shape"], numbers


SHAPES = {"value": (10000, 1), "gradient": (10000, 1, 3), "hessian": (10000, 1, 3, 3)}
for member, name in (("value", "u"), ("gradient", "gradient"), ("hessian", "hessian")):
    shape, found = load(sys.argv[1], member)
    _, expected = load("examples/heat/reference.npz", name)
    assert shape == SHAPES[member], (member, shape)
    # The reference is the first 256 points.
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(found, expected))
    print(f"{member}: {worst:.1e}")
    assert worst <= 2e-5, (member, worst)
