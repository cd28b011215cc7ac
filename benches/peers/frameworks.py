"""Times what a user would pick instead, on this machine's CPU: value, gradient and Hessian, `u, u_t, u_xx + u_yy`, and a step of
training (the mean square of `u_t - 0.1*(u_xx + u_yy)` and its gradient by all weights), of a tanh network (x, y, t) -> u over a
batch, by PyTorch and JAX in all the ways that their users take. Prints one JSON line for
each way: its name and the median and best seconds of several runs after the first."""
import argparse, json, os, time

parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--layers", type=int, default=4)
parser.add_argument("--batch", type=int, default=10000)
parser.add_argument("--precision", choices=["f32", "f64"], default="f32")
parser.add_argument("--runs", type=int, default=7)
arguments = parser.parse_args()
os.environ["JAX_PLATFORMS"] = "cpu"
if arguments.precision == "f64":
    os.environ["JAX_ENABLE_X64"] = "1"

import numpy

INPUTS = 3
sizes = [INPUTS] + [arguments.width] * arguments.layers + [1]
random = numpy.random.default_rng(0)
number = numpy.float32 if arguments.precision == "f32" else numpy.float64
weights = [(random.normal(size=(o, i)) / numpy.sqrt(i)).astype(number) for i, o in zip(sizes[:-1], sizes[1:])]
biases = [(random.normal(size=o) * 0.1).astype(number) for o in sizes[1:]]
points = random.uniform(-1, 1, size=(arguments.batch, INPUTS)).astype(number)


def measure(work, name, function):
    try:
        function()
        seconds = []
        for _ in range(arguments.runs):
            start = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - start)
        seconds.sort()
        print(json.dumps({"work": work, "name": name, "median_s": seconds[len(seconds) // 2], "best_s": seconds[0]}), flush=True)
    except Exception as error:  # a way that this version of a framework does not offer is reported, not hidden
        print(json.dumps({"work": work, "name": name, "error": str(error)[:200]}), flush=True)


import torch

torch.set_num_threads(len(os.sched_getaffinity(0)))
layers = []
for k, (w, b) in enumerate(zip(weights, biases)):
    linear = torch.nn.Linear(w.shape[1], w.shape[0])
    linear.weight = torch.nn.Parameter(torch.tensor(w))
    linear.bias = torch.nn.Parameter(torch.tensor(b))
    layers += [linear] if k == len(weights) - 1 else [linear, torch.nn.Tanh()]
network = torch.nn.Sequential(*layers)
torch_points = torch.tensor(points)


def torch_double_backward():
    x = torch_points.clone().requires_grad_(True)
    u = network(x)
    g = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    rows = [torch.autograd.grad(g[:, i].sum(), x, retain_graph=i < INPUTS - 1)[0] for i in range(INPUTS)]
    return u.detach(), g.detach(), torch.stack(rows, 1)


def torch_merged_calls():
    x, y, t = [torch_points[:, i : i + 1].clone().requires_grad_(True) for i in range(3)]
    u = network(torch.cat((x, y, t), 1))
    u_t, u_x, u_y = torch.autograd.grad(u, [t, x, y], torch.ones_like(u), create_graph=True)
    u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), retain_graph=True)[0]
    u_yy = torch.autograd.grad(u_y, y, torch.ones_like(u_y))[0]
    return u.detach(), u_t.detach(), u_xx + u_yy


def torch_step():
    x, y, t = [torch_points[:, i : i + 1].clone().requires_grad_(True) for i in range(3)]
    u = network(torch.cat((x, y, t), 1))
    u_t, u_x, u_y = torch.autograd.grad(u, [t, x, y], torch.ones_like(u), create_graph=True)
    u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
    u_yy = torch.autograd.grad(u_y, y, torch.ones_like(u_y), create_graph=True)[0]
    loss = ((u_t - 0.1 * (u_xx + u_yy)) ** 2).mean()
    # The last bias plays no part in the residual.
    return torch.autograd.grad(loss, list(network.parameters()), allow_unused=True)


from torch.func import functional_call, hessian, jacfwd, vmap

parameters = {name: value.detach() for name, value in network.named_parameters()}


def at_point(x):
    return functional_call(network, parameters, (x,))[0]


def without_gradients(function):
    with torch.no_grad():
        return function(torch_points)


func_hessian = vmap(hessian(at_point))
func_forward = vmap(jacfwd(jacfwd(at_point)))
measure("hessian", "torch double backward", torch_double_backward)
measure("hessian", "torch.func vmap(hessian)", lambda: without_gradients(func_hessian))
measure("hessian", "torch.func vmap(jacfwd(jacfwd))", lambda: without_gradients(func_forward))
measure("heat", "torch merged gradient calls", torch_merged_calls)
measure("step", "torch merged gradient calls", torch_step)

import jax
import jax.numpy as jnp
from jax.experimental import jet

jax_parameters = [(jnp.asarray(w), jnp.asarray(b)) for w, b in zip(weights, biases)]
jax_points = jnp.asarray(points)


def u(parameters, x):
    for k, (w, b) in enumerate(parameters):
        x = w @ x + b
        if k < len(parameters) - 1:
            x = jnp.tanh(x)
    return x[0]


def all_by(second):
    return jax.jit(jax.vmap(lambda p, x: (u(p, x), jax.grad(u, 1)(p, x), second(p, x)), (None, 0)))


def taylor(p, x):
    """Value, first and second derivatives along each pair sum of axes, from which the Hessian follows."""
    d = x.shape[0]
    axes = jnp.eye(d, dtype=x.dtype)
    i, j = jnp.triu_indices(d, 1)
    directions = jnp.concatenate([axes, axes[i] + axes[j]])

    def along(v):
        value, (first, second) = jet.jet(lambda z: u(p, z), (x,), ((v, jnp.zeros_like(v)),))
        return value, first, second

    value, first, second = jax.vmap(along)(directions)
    diagonal = second[:d]
    mixed = (second[d:] - diagonal[i] - diagonal[j]) / 2
    h = jnp.diag(diagonal).at[i, j].set(mixed).at[j, i].set(mixed)
    return value[0], first[:d], h


done = jax.block_until_ready
for name, second in (
    ("jax jit hessian (forward over reverse)", jax.hessian(u, 1)),
    ("jax jit jacfwd(jacfwd)", jax.jacfwd(jax.jacfwd(u, 1), 1)),
    ("jax jit jacrev(jacrev)", jax.jacrev(jax.jacrev(u, 1), 1)),
):
    function = all_by(second)
    measure("hessian", name, lambda: done(function(jax_parameters, jax_points)))
by_jet = jax.jit(jax.vmap(taylor, (None, 0)))
measure("hessian", "jax jit jet", lambda: done(by_jet(jax_parameters, jax_points)))



def second_by_hessian(p, x):
    h = jax.hessian(u, 1)(p, x)
    return h[0, 0] + h[1, 1]


def second_by_forward(p, x):
    along = lambda v: jax.jvp(lambda z: jax.jvp(lambda y: u(p, y), (z,), (v,))[1], (x,), (v,))[1]
    return along(jnp.eye(3, dtype=x.dtype)[0]) + along(jnp.eye(3, dtype=x.dtype)[1])


def second_by_jet(p, x):
    along = lambda v: jet.jet(lambda z: u(p, z), (x,), ((v, jnp.zeros_like(v)),))[1][1]
    return along(jnp.eye(3, dtype=x.dtype)[0]) + along(jnp.eye(3, dtype=x.dtype)[1])


for name, second in (
    ("jax jit hessian, then reverse", second_by_hessian),
    ("jax jit jvp of jvp, then reverse", second_by_forward),
    ("jax jit jet, then reverse", second_by_jet),
):
    residual = lambda p, x, second=second: jax.grad(u, 1)(p, x)[2] - 0.1 * second(p, x)
    step = jax.jit(jax.value_and_grad(lambda p, x, r=residual: jnp.mean(jax.vmap(r, (None, 0))(p, x) ** 2)))
    measure("step", name, lambda: done(step(jax_parameters, jax_points)))

import folx

forward_laplacian = jax.jit(jax.vmap(folx.forward_laplacian(lambda x: u(jax_parameters, x), 0)))
measure("laplacian", "folx forward_laplacian", lambda: done(forward_laplacian(jax_points)))
