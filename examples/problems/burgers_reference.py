"""The exact solution of Burgers' equation by the transform of Cole and Hopf, for burgers.toml; prints burgers_reference.csv.

u(x, t) = - integral of sin(pi (x - s)) w(s) ds / integral of w(s) ds, w(s) = exp(-cos(pi (x - s)) / (2 pi nu) - s^2 / (4 nu t))
"""

import math

NU = 0.01 / math.pi


def solution(x, t):
    if t == 0:
        return -math.sin(math.pi * x)
    # The trapezoidal rule is exact to rounding for a smooth function that vanishes at both ends.
    width = math.sqrt(4 * NU * t)
    nodes = [12 * width * k / 2000 for k in range(-2000, 2001)]
    exponents = [-math.cos(math.pi * (x - s)) / (2 * math.pi * NU) - (s / width) ** 2 for s in nodes]
    largest = max(exponents)
    weights = [math.exp(exponent - largest) for exponent in exponents]
    top = sum(math.sin(math.pi * (x - s)) * weight for s, weight in zip(nodes, weights))
    return -top / sum(weights)


print("x,t,u")
for i in range(11):
    for j in range(101):
        x, t = (j - 50) / 50, i / 10
        print(f"{x},{t},{solution(x, t):.12g}")
