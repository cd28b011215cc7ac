"""The memory that PyTorch users lose when they write second derivatives in a loop (pytorch#7343 and kept graphs): resident
memory as it goes. `python leak.py cycle`, `python leak.py kept`, `python leak.py careful`. Beside it:
`cargo run --release --example no_leak`."""
import sys, warnings

import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
way = sys.argv[1]
iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 40

hidden = [layer for _ in range(3) for layer in (torch.nn.Linear(64, 64), torch.nn.Tanh())]
network = torch.nn.Sequential(torch.nn.Linear(3, 64), torch.nn.Tanh(), *hidden, torch.nn.Linear(64, 1))
points = torch.rand(10000, 3)
results = []


def resident_megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def cycle():
    """backward(create_graph=True): each parameter and its gradient hold each other."""
    x = points.clone().requires_grad_(True)
    u = network(x)
    u.backward(torch.ones_like(u), create_graph=True)


def derivatives():
    x, y, t = [points[:, i : i + 1].clone().requires_grad_(True) for i in range(3)]
    u = network(torch.cat((x, y, t), 1))
    ones = torch.ones_like(u)
    u_t, u_x, u_y = torch.autograd.grad(u, [t, x, y], ones, create_graph=True)
    u_xx = torch.autograd.grad(u_x, x, ones, retain_graph=True)[0]
    u_yy = torch.autograd.grad(u_y, y, ones, retain_graph=True)[0]
    return u, u_t, u_xx + u_yy


def kept():
    """Results kept with the graph that they were made from, as in a list of losses."""
    results.append(derivatives())


def careful():
    """autograd.grad, and results detached: flat, though a graph is built and thrown away each time."""
    results[:] = [result.detach() for result in derivatives()]


run = {"cycle": cycle, "kept": kept, "careful": careful}[way]
start = resident_megabytes()
print(f"{way}: {start:.0f} MB at the start")
for iteration in range(1, iterations + 1):
    run()
    if iteration % max(1, iterations // 8) == 0:
        print(f"{iteration:6} iterations: {resident_megabytes() - start:+.0f} MB", flush=True)
