#!/usr/bin/env python3
"""Writes the reference tables next to this file: f64/<name>.csv and f32/<name>.csv.

    pip install mpmath            # the only dependency; gmpy2 beside it makes it several times faster
    python3 generate.py           # rewrites every table, then checks a sample of the rows
    python3 generate.py --check   # writes nothing; checks every row it can of the tables on disk

There is no randomness: the same mpmath gives the same bytes.

The tables
----------
Each row holds a float as the hex digits of its bits, and what the true (real-number) function and its
true derivatives are at exactly that float, to 25 significant digits, half to even.  The decimals are
never rounded to the range of the float type: `1e-400` and `1e+500` are meant as they stand.  An exact
zero is `0`.

    unary                x,f,d1,d2,d3,d4
    powi, powf           x,p,f,d1,d2,d3,d4     p: decimal integer (powi), bits of the exponent (powf)
    two arguments        x,y,f,fx,fy,fxx,fxy,fyy

Points where the function is undefined or not smooth are left out (x = 0 for sqrt, cbrt and hypot(0, 0),
x = 1 for acosh, ...).  `elu` at 0 takes the side x <= 0.  Points where any result lies outside
1e-100000 .. 1e+100000 are left out too: such a number cannot matter to a float.
powf has rows with x <= 0 for the whole-numbered exponents, where x^p is smooth there.

How the digits are made sure
----------------------------
The derivatives are closed forms written so that nothing cancels in the tails (sigmoid's complement is
1/(1+e^x), never 1-s, and so on).  Every row is then evaluated at a working precision and at twice that,
and doubled on until all its numbers agree to 30 digits.  The first precision already grows with
|log10 x|: at x = 1e-300 two *too low* precisions would agree on 1+x = 1, and agree on a wrong zero.
"""
import os
import struct
import sys
import time
from decimal import Context, Decimal, ROUND_HALF_EVEN

from mpmath import mp, mpf

HERE = os.path.dirname(os.path.abspath(__file__))
DIGITS = 25
AGREE = 30  # digits two precisions must share before 25 of them are printed
LIMIT = 100_000  # largest |log10| of a result that a row may hold


class Skip(Exception):
    """This point has no row."""


# ---------------------------------------------------------------------------------------- floats


class Float:
    """One binary float format: rounding to it, its bits, its neighbours."""

    def __init__(self, name, pack, bits, digits):
        self.name, self.pack, self.bits, self.hexdigits = name, pack, bits, bits // 4
        self.int = {32: "I", 64: "Q"}[bits]
        self.eps = 2.0 ** -(digits - 1)
        self.max = struct.unpack("<" + pack, struct.pack("<" + self.int, self.inf_bits() - 1))[0]
        self.tiny = struct.unpack("<" + pack, struct.pack("<" + self.int, 1))[0]

    def inf_bits(self):
        return {32: 0x7F800000, 64: 0x7FF0000000000000}[self.bits]

    def round(self, v):
        """Nearest float to a Python float or mpf, or None where that overflows."""
        try:
            v = struct.unpack("<" + self.pack, struct.pack("<" + self.pack, float(v)))[0]
        except OverflowError:
            return None
        return v if abs(v) <= self.max else None

    def to_bits(self, v):
        return struct.unpack("<" + self.int, struct.pack("<" + self.pack, v))[0]

    def from_bits(self, b):
        return struct.unpack("<" + self.pack, struct.pack("<" + self.int, b))[0]

    def hex(self, v):
        return f"0x{self.to_bits(v):0{self.hexdigits}x}"

    def order(self, v):
        """Consecutive floats have consecutive orders; +0 and -0 share 0."""
        b, sign = self.to_bits(v), 1 << (self.bits - 1)
        return -(b - sign) if b & sign else b

    def from_order(self, k):
        return self.from_bits(k) if k >= 0 else -self.from_bits(-k)

    def step(self, v, n):
        return self.from_order(self.order(v) + n)


F64 = Float("f64", "d", 64, 53)
F32 = Float("f32", "f", 32, 24)

# ------------------------------------------------------------- closed forms of order 0 to 4


def big_guard(x):
    """exp of such a number could not be held, and would be skipped for its size anyway."""
    if abs(x) > 10 * LIMIT:
        raise Skip


def scaled(c, ds):
    return [c * d for d in ds]


def power(x, p):
    """x^p and its derivatives; a falling factorial that reaches 0 is an exact 0 from there on."""
    out, c = [], mpf(1)
    for k in range(5):
        out.append(c * x ** (p - k) if c else mpf(0))
        c *= p - k
    return out


def recip(x):
    return power(x, -1)


def sqrt(x):
    f = mp.sqrt(x)
    return [f, f / (2 * x), -f / (4 * x**2), 3 * f / (8 * x**3), -15 * f / (16 * x**4)]


def cbrt(x):
    f = mp.sign(x) * mp.cbrt(abs(x))  # mpmath's own goes complex left of 0
    return [f, f / (3 * x), -2 * f / (9 * x**2), 10 * f / (27 * x**3), -80 * f / (81 * x**4)]


def exp(x):
    big_guard(x)
    return [mp.exp(x)] * 5


def exp2(x):
    big_guard(x)
    f, c = mpf(2) ** x, mp.log(2)
    return [f * c**k for k in range(5)]


def exp_m1(x):
    big_guard(x)
    return [mp.expm1(x)] + [mp.exp(x)] * 4


def ln(x):
    return [mp.log(x), 1 / x, -1 / x**2, 2 / x**3, -6 / x**4]


def ln_1p(x):
    u = 1 + x
    return [mp.log1p(x), 1 / u, -1 / u**2, 2 / u**3, -6 / u**4]


def log2(x):
    return scaled(1 / mp.log(2), ln(x))


def log10(x):
    return scaled(1 / mp.log(10), ln(x))


def sin(x):
    s, c = mp.sin(x), mp.cos(x)
    return [s, c, -s, -c, s]


def cos(x):
    s, c = mp.sin(x), mp.cos(x)
    return [c, -s, -c, s, c]


def tan(x):
    t = mp.tan(x)
    u = 1 + t * t
    return [t, u, 2 * t * u, 2 * u * (1 + 3 * t * t), 8 * t * u * (2 + 3 * t * t)]


def asin(x):
    r = 1 / mp.sqrt((1 - x) * (1 + x))
    return [mp.asin(x), r, x * r**3, (1 + 2 * x**2) * r**5, (9 * x + 6 * x**3) * r**7]


def acos(x):
    return [mp.acos(x)] + [-d for d in asin(x)[1:]]


def atan(x):
    u = 1 + x * x
    return [mp.atan(x), 1 / u, -2 * x / u**2, (6 * x**2 - 2) / u**3, 24 * x * (1 - x**2) / u**4]


def sinh(x):
    big_guard(x)
    s, c = mp.sinh(x), mp.cosh(x)
    return [s, c, s, c, s]


def cosh(x):
    big_guard(x)
    s, c = mp.sinh(x), mp.cosh(x)
    return [c, s, c, s, c]


def tanh(x):
    big_guard(x)
    t, u = mp.tanh(x), 1 / mp.cosh(x) ** 2
    return [t, u, -2 * t * u, -2 * u * (1 - 3 * t * t), 8 * t * u * (2 - 3 * t * t)]


def asinh(x):
    r = 1 / mp.sqrt(1 + x * x)
    return [mp.asinh(x), r, -x * r**3, (2 * x**2 - 1) * r**5, (9 * x - 6 * x**3) * r**7]


def acosh(x):
    r = 1 / mp.sqrt((x - 1) * (x + 1))
    return [mp.acosh(x), r, -x * r**3, (2 * x**2 + 1) * r**5, -(6 * x**3 + 9 * x) * r**7]


def atanh(x):
    u = (1 - x) * (1 + x)
    return [mp.atanh(x), 1 / u, 2 * x / u**2, (2 + 6 * x**2) / u**3, 24 * x * (1 + x**2) / u**4]


def gaussian(x):
    big_guard(x * x)
    g, x2 = mp.exp(-x * x), x * x
    return [g, -2 * x * g, (4 * x2 - 2) * g, (12 - 8 * x2) * x * g, (16 * x2**2 - 48 * x2 + 12) * g]


def erf(x):
    big_guard(x * x)
    return [mp.erf(x)] + scaled(2 / mp.sqrt(mp.pi), gaussian(x)[:4])


def erfc(x):
    big_guard(x * x)
    return [mp.erfc(x)] + scaled(-2 / mp.sqrt(mp.pi), gaussian(x)[:4])


def sigmoid(x):
    big_guard(x)
    s, t, h = 1 / (1 + mp.exp(-x)), 1 / (1 + mp.exp(x)), -mp.tanh(x / 2)  # t = 1 - s, h = t - s
    return [s, s * t, s * t * h, s * t * (1 - 6 * s * t), s * t * h * (1 - 12 * s * t)]


def softplus(x):
    big_guard(x)
    f = mp.log1p(mp.exp(x)) if x <= 0 else x + mp.log1p(mp.exp(-x))
    return [f] + sigmoid(x)[:4]


def x_times(x, g):
    """x g(x) out of g."""
    return [x * g[0]] + [k * g[k - 1] + x * g[k] for k in range(1, 5)]


def compose(h, g):
    """h(g(x)) out of h at g(x) and g at x (Faa di Bruno)."""
    return [
        h[0],
        h[1] * g[1],
        h[2] * g[1] ** 2 + h[1] * g[2],
        h[3] * g[1] ** 3 + 3 * h[2] * g[1] * g[2] + h[1] * g[3],
        h[4] * g[1] ** 4 + 6 * h[3] * g[1] ** 2 * g[2] + h[2] * (3 * g[2] ** 2 + 4 * g[1] * g[3]) + h[1] * g[4],
    ]


def silu(x):
    return x_times(x, sigmoid(x))


def gelu(x):
    big_guard(x * x)
    phi, cdf, x2 = mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi), mp.erfc(-x / mp.sqrt(2)) / 2, x * x
    return [x * cdf, cdf + x * phi, phi * (2 - x2), phi * x * (x2 - 4), phi * (7 * x2 - x2**2 - 4)]


def gelu_tanh(x):
    # 0.5 (1 + tanh w) = sigmoid(2 w), which keeps its left tail
    c, a = 2 * mp.sqrt(2 / mp.pi), mpf(44715) / 10**6
    w = [c * (x + a * x**3), c * (1 + 3 * a * x**2), 6 * c * a * x, 6 * c * a, mpf(0)]
    return x_times(x, compose(sigmoid(w[0]), w))


def mish(x):
    # tanh(ln(1 + u)) = n/(n+2) = 1 - 2/(n+2) with u = e^x, n = u^2 + 2u
    big_guard(x)
    u = mp.exp(x)
    n = u * (u + 2)
    q = n + 2
    t = compose([2 / q] + scaled(2, power(q, -1))[1:], [q] + [2 * u + 2**k * u**2 for k in range(1, 5)])
    return x_times(x, [n / q] + [-d for d in t[1:]])


def sinc(x):
    if abs(x) >= 1:
        s = sin(x)
        out = [s[0] / x]
        for n in range(1, 5):  # from (x sinc)^(n) = sin^(n)
            out.append((s[n] - n * out[-1]) / x)
        return out
    # Series, term by term differentiated: no cancellation near 0, and right at 0.
    out = []
    for n in range(5):
        k = (n + 1) // 2
        p = 2 * k - n  # power of x left in the first term that survives n derivatives
        term = mpf(1)
        for j in range(n):
            term *= 2 * k - j
        term = (-1) ** k * term / mp.factorial(2 * k + 1) * x**p
        total = mpf(0)
        while term and abs(term) > abs(total) * mp.eps / 16:
            total += term
            # x^(2k)/(2k+1)! -> x^(2k+2)/(2k+3)!, and the falling factorial of n along with it
            term *= -x * x / ((2 * k + 2) * (2 * k + 3))
            term *= mpf((2 * k + 2) * (2 * k + 1)) / ((2 * k + 2 - n) * (2 * k + 1 - n))
            k += 1
        out.append(total)
    return out


def elu(x):
    if x > 0:
        return [x, mpf(1), mpf(0), mpf(0), mpf(0)]
    return exp_m1(x)


def powi(x, n):
    return power(x, n)


def powf(x, p):
    if p == mp.floor(p):
        return power(x, int(p))
    return power(x, p)


# --------------------------------------- two arguments: f, fx, fy, fxx, fxy, fyy


def atan2(x, y):
    r2 = x * x + y * y
    return [
        mp.atan2(x, y),
        y / r2,
        -x / r2,
        -2 * x * y / r2**2,
        (x - y) * (x + y) / r2**2,
        2 * x * y / r2**2,
    ]


def hypot(x, y):
    r = mp.sqrt(x * x + y * y)
    return [r, x / r, y / r, y * y / r**3, -x * y / r**3, x * x / r**3]


def pow_(x, y):
    big_guard(y * mp.log(x))
    f, l = x**y, mp.log(x)
    return [f, y * f / x, f * l, y * (y - 1) * f / x**2, f / x * (1 + y * l), f * l * l]


def log_base(x, y):
    a, b = mp.log(x), mp.log(y)
    return [
        a / b,
        1 / (x * b),
        -a / (y * b**2),
        -1 / (x**2 * b),
        -1 / (x * y * b**2),
        a * (2 + b) / (y**2 * b**3),
    ]


def div(x, y):
    return [x / y, 1 / y, -x / y**2, mpf(0), -1 / y**2, 2 * x / y**3]


# ------------------------------------------------------------------------ from points to rows

decimal_out = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emax=10**9, Emin=-(10**9))
decimal_in = Context(prec=3 * DIGITS, Emax=10**9, Emin=-(10**9))


def text(v):
    if v == 0:
        return "0"
    # Through 50 digits, so that mpmath's own rounding cannot decide the 25th; through 75 before that,
    # because Python will not print the thousands of digits v may carry.
    with mp.workdps(3 * DIGITS):
        d = decimal_in.create_decimal(mp.nstr(+v, 2 * DIGITS))
    d = decimal_out.normalize(d)
    return str(d).replace("E", "e")


def exponent10(v):
    """floor-ish log10 |v|, cheaply, of a number of any size."""
    return 0 if v == 0 else int((mp.mag(v) - 1) * 0.30103)


def agree(a, b):
    return all(u == v or abs(u - v) <= mpf(10) ** -AGREE * abs(v) for u, v in zip(a, b))


def evaluate(fun, args):
    """fun's numbers, right to AGREE digits; Skip where they do not fit the tables."""
    reach = max(abs(exponent10(mpf(a))) for a in args)
    # 100: distances of 1 ulp from a singular point, to the powers of order 4.  8 * reach: x^-5 and such.
    dps = 100 + 8 * reach
    mp.dps = dps
    last = fun(*map(mpf, args))
    if any(v and abs(exponent10(v)) > LIMIT for v in last):
        raise Skip
    for _ in range(6):
        dps *= 2
        mp.dps = dps
        now = fun(*map(mpf, args))
        if agree(last, now):
            return [text(v) for v in now]
        last = now
    raise ArithmeticError(f"no agreement: {fun.__name__}{args}")


# --------------------------------------------------------------------------------- the points

GOLDEN = 0.6180339887498949

MAGNITUDES = {
    F64: "5e-324 1e-310 2.3e-308 1e-300 3.7e-200 1e-150 1.9e-100 1e-50 2.7e-30 1e-20 1.1e-16 3e-16 1e-12 "
    "1.3e-8 1e-6 1e-5 1.7e-4 1e-3 1.1e-2 0.1 1 10 123 1e3 1e5 2.9e8 1e10 1e15 1e22 1.7e30 1e50 1e100 "
    "1.1e150 1e200 1e300 1.7e308",
    F32: "1e-45 1e-40 1.2e-38 1e-37 3.7e-30 1e-20 1.9e-15 1e-10 6e-8 1e-6 1e-5 1.7e-4 1e-3 1.1e-2 0.1 1 10 "
    "123 1e3 1e5 1.7e7 1e10 1e15 2.9e20 1e30 1e37 3.4e38",
}
# Where exp-like functions saturate, overflow and underflow, in either type.
TAILS = {
    F64: "13 17 20 26 27 30 36.8 38 40 300 354.8 370 700 708.3 709.78 709.79 710.47 710.48 744.44 745.13 745.2 "
    "800 1000 1e4",
    F32: "9 13 17 20 30 38 40 43.6 87.3 88.72 88.73 89.41 89.42 103.2 103.9 104.1 150 300 800",
}
GAUSS_TAILS = {
    F64: "5 5.9 6 8.3 9 10 14 20 26 26.5 26.6 27 27.2 27.3 30 37.5 38 38.5 38.6 39 50 100",
    F32: "3.8 4 5 5.5 6 9 9.2 9.3 10 10.1 12.9 13.2 13.3 14.2 20 30",
}
EXP2_TAILS = {
    F64: "16 52.5 53 100.5 1022 1022.5 1023 1023.9999 1024 1073.5 1074 1075 1076 2000",
    F32: "16 23.5 24 100.5 126 126.5 127 127.99 128 148.5 149 150 151 400",
}


def numbers(s):
    return [float(w) for w in s.split()]


def both(vs):
    return [s * v for v in vs for s in (1, -1)]


def spread(a, b, n):
    """n numbers over (a, b), evenly but nowhere round."""
    return [a + (b - a) * (i + (i * GOLDEN + 0.37) % 1.0) / n for i in range(n)]


def around(ty, c, extra=True):
    """Floats at many distances from c, c itself among them."""
    c = ty.round(c)
    out = [c] + [ty.step(c, k) for k in (1, -1, 2, -2)]
    if extra:
        for d in (1e-15, 1e-12, 1e-10, 1e-7, 1e-5, 1e-3, 1e-2):
            if d > ty.eps:
                out += [c + d, c - d]
    return out


def trig_points(ty):
    """Floats beside the multiples of pi/2, and arguments that need a long reduction."""
    mp.dps = 60
    out = []
    for k in (1, 2, 3, 4, 5, 11, 1000, 636619):
        c = ty.round(k * mp.pi / 2)
        out += [c, ty.step(c, 1), ty.step(c, -1)]
        if k <= 4:
            out += [c + 1e-4, c - 1e-6]
    out += [mp.pi / 4, 3 * mp.pi / 4, mp.pi / 3, mp.pi / 6]
    out += numbers("1e5 1e5 123456.7 1e7 1e9 1e15 1e22 3.3e25")
    # The floats of each type that come nearest to a multiple of pi/2.
    out += [6381956970095103.0 * 2.0**797] if ty is F64 else [16367173.0 * 2.0**72]
    return both(out)


def roots(ty, fun, lo, hi, most):
    """Floats either side of the zeros of f, d1, d2 in (lo, hi): where relative errors are worst."""
    mp.dps = 40
    out = []
    grid = [ty.round(v) for v in spread(lo, hi, 60)]
    for k in range(3):
        vals = [fun(mpf(v))[k] for v in grid]
        found = 0
        for a, b, va, vb in zip(grid, grid[1:], vals, vals[1:]):
            if va * vb >= 0 or found >= most:
                continue
            i, j = ty.order(a), ty.order(b)
            while j - i > 1:
                m = (i + j) // 2
                vm = fun(mpf(ty.from_order(m)))[k]
                if vm == 0:
                    i, j = m, m + 1
                elif vm * va < 0:
                    j = m
                else:
                    i = m
            out += [ty.from_order(i), ty.from_order(j)]
            found += 1
    return out


class Unary:
    def __init__(self, fun, plain, domain, lo, hi, points=lambda ty: [], roots=2):
        self.fun, self.plain, self.domain, self.lo, self.hi = fun, plain, domain, lo, hi
        self.special, self.roots = points, roots


def choose(ty, domain, lists, lo, hi, total, least):
    """The listed points inside the domain, then ordinary ones over (lo, hi) up to `total`."""
    seen = {}
    for v in lists:
        v = ty.round(v)
        if v is not None and domain(v):
            seen.setdefault(ty.order(v), v)
    for v in spread(lo, hi, max(least, total - len(seen))):
        v = ty.round(v)
        if v is not None and domain(v):
            seen.setdefault(ty.order(v), v)
    return [ty.from_order(k) for k in sorted(seen)]


def unary_points(ty, u):
    lists = both(numbers(MAGNITUDES[ty])) + [0.0] + list(u.special(ty))
    if u.roots:
        lists += roots(ty, u.fun, u.lo, u.hi, u.roots)
    return choose(ty, u.domain, lists, u.lo, u.hi, 120 if ty is F64 else 80, 30 if ty is F64 else 20)


def everywhere(x):
    return True


def positive(x):
    return x > 0


def nonzero(x):
    return x != 0


def tails(table):
    return lambda ty: both(numbers(table[ty]))


def at(*cs):
    return lambda ty: [v for c in cs for v in around(ty, c)]


# `plain` is the definition as a textbook has it; only the check uses it (with precision to burn).
UNARY = {
    "recip": Unary(recip, lambda x: 1 / x, nonzero, -4, 4, roots=0),
    "sqrt": Unary(sqrt, lambda x: mp.exp(mp.log(x) / 2), positive, 0, 9, at(1), roots=0),
    "cbrt": Unary(cbrt, lambda x: mp.sign(x) * mp.exp(mp.log(abs(x)) / 3), nonzero, -9, 9, at(1), roots=0),
    "exp": Unary(exp, lambda x: mp.e**x, everywhere, -6, 6, tails(TAILS)),
    "exp2": Unary(exp2, lambda x: mp.exp(x * mp.log(2)), everywhere, -6, 6, tails(EXP2_TAILS)),
    "exp_m1": Unary(exp_m1, lambda x: mp.e**x - 1, everywhere, -6, 6, tails(TAILS)),
    "ln": Unary(ln, mp.log, positive, 0, 8, at(1)),
    "ln_1p": Unary(ln_1p, lambda x: mp.log(1 + x), lambda x: x > -1, -1, 7, at(-1)),
    "log2": Unary(log2, lambda x: mp.log(x) / mp.log(2), positive, 0, 20, at(1, 2, 8)),
    "log10": Unary(log10, lambda x: mp.log(x) / mp.log(10), positive, 0, 20, at(1, 10)),
    "sin": Unary(sin, lambda x: mp.im(mp.expj(x)), everywhere, -10, 10, trig_points),
    "cos": Unary(cos, lambda x: mp.re(mp.expj(x)), everywhere, -10, 10, trig_points),
    "tan": Unary(tan, lambda x: mp.sin(x) / mp.cos(x), everywhere, -10, 10, trig_points),
    "asin": Unary(asin, mp.asin, lambda x: abs(x) < 1, -1, 1, at(1, -1)),
    "acos": Unary(acos, mp.acos, lambda x: abs(x) < 1, -1, 1, at(1, -1)),
    "atan": Unary(atan, mp.atan, everywhere, -5, 5, at(1)),
    "sinh": Unary(sinh, lambda x: (mp.exp(x) - mp.exp(-x)) / 2, everywhere, -6, 6, tails(TAILS)),
    "cosh": Unary(cosh, lambda x: (mp.exp(x) + mp.exp(-x)) / 2, everywhere, -6, 6, tails(TAILS)),
    "tanh": Unary(tanh, lambda x: 1 - 2 / (mp.exp(2 * x) + 1), everywhere, -6, 6, tails(TAILS)),
    "asinh": Unary(asinh, lambda x: mp.log(x + mp.sqrt(x * x + 1)), everywhere, -6, 6),
    "acosh": Unary(acosh, lambda x: mp.log(x + mp.sqrt(x * x - 1)), lambda x: x > 1, 1, 8, at(1)),
    "atanh": Unary(atanh, lambda x: mp.log((1 + x) / (1 - x)) / 2, lambda x: abs(x) < 1, -1, 1, at(1, -1)),
    "erf": Unary(erf, mp.erf, everywhere, -5, 5, tails(GAUSS_TAILS)),
    "erfc": Unary(erfc, lambda x: 1 - mp.erf(x), everywhere, -5, 8, tails(GAUSS_TAILS)),
    "sigmoid": Unary(sigmoid, lambda x: 1 / (1 + mp.exp(-x)), everywhere, -8, 8, tails(TAILS)),
    "softplus": Unary(softplus, lambda x: mp.log(1 + mp.exp(x)), everywhere, -8, 8, tails(TAILS)),
    "silu": Unary(silu, lambda x: x / (1 + mp.exp(-x)), everywhere, -8, 8, tails(TAILS)),
    "gelu": Unary(gelu, lambda x: x * (1 + mp.erf(x / mp.sqrt(2))) / 2, everywhere, -7, 7, tails(GAUSS_TAILS)),
    "gelu_tanh": Unary(
        gelu_tanh,
        lambda x: x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3))),
        everywhere,
        -7,
        7,
        lambda ty: both(numbers(GAUSS_TAILS[ty]) + numbers("7 11 12 15 17 18 19.5 21 21.6 22 200 1e3 1e4")),
    ),
    "mish": Unary(mish, lambda x: x * mp.tanh(mp.log(1 + mp.exp(x))), everywhere, -9, 6, tails(TAILS)),
    "sinc": Unary(sinc, lambda x: mp.sin(x) / x, everywhere, -13, 13, trig_points),
    "gaussian": Unary(gaussian, lambda x: mp.exp(-(x**2)), everywhere, -5, 5, tails(GAUSS_TAILS)),
    "elu": Unary(elu, None, everywhere, -8, 5, tails(TAILS), roots=0),
}

POWI = (-7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 9, 20, 100, -50)
POWF = (-2.5, -1.0, -0.3, 0.0, 0.1, 0.5, 1.0, 1.1, 1.5, 2.0, 2.1, 3.0, 7.3, 40.5)

POWER_MAGNITUDES = {
    F64: "5e-324 1e-310 1e-300 1e-154 1e-50 1.9e-20 1e-8 1e-3 0.1 1 10 1e3 1e8 1e20 1e50 1e154 1e300",
    F32: "1e-45 1e-40 1e-37 1e-19 1.9e-10 1e-5 1e-3 0.1 1 10 1e3 1e6 1e10 1e19 1e30 3e38",
}


def power_points(ty, p, negative):
    if negative:
        domain = everywhere if p >= 0 else nonzero
        lists = both(numbers(POWER_MAGNITUDES[ty]))
    else:
        domain = positive
        lists = numbers(POWER_MAGNITUDES[ty])
    lists += [0.0, 1 + ty.eps, 1 - ty.eps / 2, 1 + 1e-6, 0.99, 1.02, 2, 3, 1e2, 3e-2]
    return choose(ty, domain, lists, -5 if negative else 0, 5, 56 if ty is F64 else 44, 14 if ty is F64 else 12)


def pairs(n, ax, bx, ay, by, mapx=lambda t: t, mapy=lambda t: t):
    """n points filling a rectangle evenly (the R2 sequence), each side through a map."""
    g = 1.32471795724474602596
    return [
        (mapx(ax + (bx - ax) * ((0.5 + i / g) % 1.0)), mapy(ay + (by - ay) * ((0.5 + i / g**2) % 1.0)))
        for i in range(1, n + 1)
    ]


def ten(t):
    return 10.0**t


def plane_points(ty, n):
    """For atan2, hypot, div: all four quadrants, any mix of magnitudes, equal sizes, axes."""
    e = 300 if ty is F64 else 36
    tiny, small, big = ty.tiny, 10.0 ** -(e + (8 if ty is F64 else 3)), 10.0**e
    out = [(0.0, 1.0), (0.0, 2.5), (0.0, -3.0), (1.0, 0.0), (-1.0, 0.0), (-0.3, 0.0), (big, 0.0), (0.0, big)]
    out += [(a * x, b * y) for x, y in ((3, 4), (1, 1), (0.7, 0.7)) for a in (1, -1) for b in (1, -1)]
    sizes = (tiny, small, 1 / big, 1.3, big, ty.max)
    out += [(x, -y if (i + j) % 2 else y) for i, x in enumerate(sizes) for j, y in enumerate(sizes)]
    out += [(1.0, 1 + ty.eps), (1 + ty.eps, 1.0), (-1.0, 1 - ty.eps), (1e-8, -1.0), (1e-4, 1e4), (5.0, 1e-9)]
    rest = n - len(out)
    out += pairs(rest - rest // 2, -4, 4, -4, 4)
    for i, (x, y) in enumerate(pairs(rest // 2, -e, e, -e, e, ten, ten)):
        out.append((x * (1, -1)[i % 2], y * (1, 1, -1, -1)[i % 4]))
    return out


def pow_points(ty, n):
    tiny, eps = ty.tiny, ty.eps
    out = [(x, y) for x in (0.3, 1.0, 2.0, 10.0) for y in (-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0)]
    out += [(1 + eps, y) for y in (1e6, -1e6, 1 / eps, 300 / eps)] + [(1 - eps / 2, 1e7), (1 - eps / 2, 1 / eps)]
    out += [(tiny, 0.5), (tiny, -0.5), (tiny, 1.0), (tiny, 1.5), (ty.max, 0.5), (ty.max, -1.5), (ty.max, 1.0)]
    out += [(2.0, y) for y in (100.5, -100.5, 127.9, 1023.9, -1074.5, 1e4)]
    out += [(x, y) for x in (0.5, 1.5, 1e-10, 1e10) for y in (1e-20, -1e-20, tiny, 1e-8, 12.25)]
    out += [(2.0, -1.4426950408889634), (10.0, -0.4342944819032518)]  # 1 + y ln x near 0
    rest = n - len(out)
    out += pairs(rest - rest // 2, 0, 6, -5, 5)
    e = 280 if ty is F64 else 35
    out += pairs(rest // 2, -e, e, -4, 4, ten)
    return out


def log_points(ty, n):
    tiny, eps, e = ty.tiny, ty.eps, 300 if ty is F64 else 36
    out = [(float(b) ** k, float(b)) for b in (2, 3, 10) for k in (-2, -1, 0, 1, 2, 5)]
    out += [(x, y) for x in (tiny, 1 - eps / 2, 1 + eps, 1.0, 5.0, ty.max)
            for y in (tiny, 1 - eps / 2, 1 + eps, 1.001, 7.0, ty.max)]
    out += [(x, y) for x in (0.3, 3.0) for y in (0.1353352832366127, 0.13, 0.14, 0.5, 0.9999)]  # 2 + ln y near 0
    rest = n - len(out)
    out += pairs(rest // 2, 0, 9, 0, 9)
    out += pairs(rest - rest // 2, -e, e, -e, e, ten, ten)
    return out


class Binary:
    def __init__(self, fun, plain, domain, points):
        self.fun, self.plain, self.domain, self.points = fun, plain, domain, points


BINARY = {
    # x is the sine side; the cut y < 0, x = 0 is left out.
    "atan2": Binary(
        atan2, lambda x, y: mp.arg(mp.mpc(y, x)), lambda x, y: (x, y) != (0, 0) and (x != 0 or y > 0), plane_points
    ),
    "hypot": Binary(hypot, lambda x, y: abs(mp.mpc(x, y)), lambda x, y: (x, y) != (0, 0), plane_points),
    "pow": Binary(pow_, lambda x, y: mp.exp(y * mp.log(x)), lambda x, y: x > 0, pow_points),
    "log": Binary(
        log_base, lambda x, y: mp.log(x) / mp.log(y), lambda x, y: x > 0 and y > 0 and y != 1, log_points
    ),
    "div": Binary(div, lambda x, y: x / y, lambda x, y: y != 0, plane_points),
}


def binary_points(ty, b):
    seen = {}
    for x, y in b.points(ty, 156 if ty is F64 else 106):
        x, y = ty.round(x), ty.round(y)
        if x is not None and y is not None and b.domain(x, y):
            seen.setdefault((ty.order(x), ty.order(y)), (x, y))
    return [seen[k] for k in sorted(seen)]


# --------------------------------------------------------------------------------- the tables


def tables(ty):
    """(name, header, function of the point, [(first columns, point)])."""
    for name, u in UNARY.items():
        yield name, "x,f,d1,d2,d3,d4", u.fun, [(ty.hex(x), (x,)) for x in unary_points(ty, u)]
    rows = [(f"{ty.hex(x)},{n}", (x, n)) for n in POWI for x in power_points(ty, n, True)]
    yield "powi", "x,p,f,d1,d2,d3,d4", lambda x, n: powi(x, int(n)), rows
    rows = []
    for p in map(ty.round, POWF):
        rows += [(f"{ty.hex(x)},{ty.hex(p)}", (x, p)) for x in power_points(ty, p, p == int(p))]
    yield "powf", "x,p,f,d1,d2,d3,d4", powf, rows
    for name, b in BINARY.items():
        rows = [(f"{ty.hex(x)},{ty.hex(y)}", (x, y)) for x, y in binary_points(ty, b)]
        yield name, "x,y,f,fx,fy,fxx,fxy,fyy", b.fun, rows


def write_all():
    total = 0
    for ty in (F64, F32):
        os.makedirs(os.path.join(HERE, ty.name), exist_ok=True)
        for name, header, fun, points in tables(ty):
            begun, lines = time.time(), [header]
            for columns, point in points:
                try:
                    lines.append(",".join([columns] + evaluate(fun, point)))
                except Skip:
                    pass
            body = "\n".join(lines) + "\n"
            with open(os.path.join(HERE, ty.name, name + ".csv"), "w", encoding="ascii", newline="\n") as out:
                out.write(body)
            total += len(body)
            print(f"{ty.name}/{name}.csv: {len(lines) - 1} rows, {time.time() - begun:.1f} s", flush=True)
    print(f"{total} bytes")


# ---------------------------------------------------------------------------------- the check


CHECK_DPS = 1500  # more digits than this take too long to differentiate numerically


def plain_of(name, x, p):
    """The textbook definition behind a row, as a function of one or two mpf."""
    if name == "powi":
        return lambda u: u ** int(p)
    if name == "powf":
        # exp(p ln x) knows no negative x; a whole power does
        return (lambda u: mp.exp(mpf(p) * mp.log(u))) if x > 0 else (lambda u: u ** int(p))
    if name == "elu":
        return (lambda u: u) if x > 0 else (lambda u: mp.exp(u) - 1)
    return UNARY[name].plain if name in UNARY else BINARY[name].plain


def check_row(name, x, p, cells):
    """Numerical differentiation of the plain definition against the row; None: not one it can do."""
    binary = name in BINARY
    if x == 0 and name in ("sinc", "powi", "powf"):
        return None  # 0/0 or 0^0 in the plain definition
    args = (x, p) if binary else (x,)
    powers = max((abs(Decimal(c).adjusted()) for c in cells if c != "0"), default=0)
    reach = max(abs(exponent10(mpf(a))) for a in args)
    # Enough for the smallest of the numbers to stand out of the largest, and for the step (10^-dps of the
    # argument) to be far below the distance to any singular point.
    dps = 100 + 2 * powers + 8 * reach
    if dps > CHECK_DPS:
        return None
    mp.dps = dps
    want = [mpf(c) for c in cells]
    f = plain_of(name, x, p)
    if binary:
        # In multiples of the arguments, so that the step is relative; at 0 in units of the other one.
        sx, sy = mpf(x or p), mpf(p or x)
        x0, y0 = mpf(1 if x else 0), mpf(1 if p else 0)
        g = lambda u, v: f(u * sx, v * sy)
        got = [f(mpf(x), mpf(p))]
        for n, m in ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2)):
            got.append(mp.diff(g, (x0, y0), (n, m)) / sx**n / sy**m)
    else:
        sx, x0 = (mpf(x), mpf(1)) if x else (mpf(1), mpf(0))
        got = [f(mpf(x))]
        if name == "elu" and x == 0:
            f = lambda u: mp.exp(u) - 1
        for n in range(1, 5):
            got.append(mp.diff(lambda u: f(u * sx), x0, n) / sx**n)
    for w, g in zip(want, got):
        if w == 0:
            # An exact zero: what numerical differentiation leaves of it is its own error.
            unit = max(abs(v) for v in want) or mpf(1)
            good = abs(g) <= unit * mpf(10) ** -60
        else:
            good = abs(g - w) <= abs(w) * mpf(10) ** (1 - DIGITS)
        if not good:
            return False
    return True


def check(every):
    """Every `every`-th row of each table on disk (of the moderate ones) by an independent route."""
    checked, cells_checked, bad, passed_over = 0, 0, [], 0
    for ty in (F64, F32):
        for name in list(UNARY) + ["powi", "powf"] + list(BINARY):
            with open(os.path.join(HERE, ty.name, name + ".csv"), encoding="ascii") as f:
                lines = f.read().split("\n")[1:-1]
            for line in lines[every // 2 :: every]:
                cells = line.split(",")
                x = ty.from_bits(int(cells[0], 16))
                p = None
                if name in UNARY:
                    cells = cells[1:]
                else:
                    p = int(cells[1]) if name == "powi" else ty.from_bits(int(cells[1], 16))
                    cells = cells[2:]
                good = check_row(name, x, p, cells)
                if good is None:
                    passed_over += 1
                    continue
                checked += 1
                cells_checked += len(cells)
                if not good:
                    bad.append(f"{ty.name}/{name}: {line}")
    print(f"check: {checked} rows, {cells_checked} numbers checked; {len(bad)} bad; {passed_over} too extreme to check so")
    for b in bad[:20]:
        print("  bad", b)
    return not bad


if __name__ == "__main__":
    begun = time.time()
    if "--check" in sys.argv[1:]:
        ok = check(1)
    else:
        write_all()
        ok = check(5)
    print(f"{time.time() - begun:.0f} s")
    sys.exit(0 if ok else 1)
