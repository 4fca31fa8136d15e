"""Peer: PyTorch on the same GPU, the same networks and batches, single precision with TF32 products allowed, eager and by torch.compile. One line a
figure: samples a second of a training step (noise, forward, backward, Adam).
usage: device_networks_peer.py [BENCHMARK]   with the program benchmark_device_networks: runs it too, and prints ratios."""

import subprocess
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True
DEVICE = torch.device("cuda")


def block(channels_in, channels_out):
    def convolution(i, o):
        return nn.Conv1d(i, o, 5, padding=2, padding_mode="circular")

    return nn.Sequential(convolution(channels_in, channels_out), nn.GroupNorm(8, channels_out), nn.SiLU(), convolution(channels_out, channels_out), nn.GroupNorm(8, channels_out), nn.SiLU())


class UNet(nn.Module):
    """Widths 32, 64, 128 on 36, 18, 9 sites; 273,569 parameters."""

    def __init__(self, b=32):
        super().__init__()
        self.top, self.middle, self.bottom = block(1, b), block(b, 2 * b), block(2 * b, 4 * b)
        self.down1, self.down2 = nn.Conv1d(b, b, 2, 2), nn.Conv1d(2 * b, 2 * b, 2, 2)
        self.up2, self.up1, self.out = block(6 * b, 2 * b), block(3 * b, b), nn.Conv1d(b, 1, 1)

    def forward(self, x):
        a = self.top(x)
        c = self.middle(self.down1(a))
        h = self.bottom(self.down2(c))
        h = self.up2(torch.cat([F.interpolate(h, scale_factor=2), c], 1))
        return self.out(self.up1(torch.cat([F.interpolate(h, scale_factor=2), a], 1)))


def patch():
    return nn.Sequential(nn.Conv1d(1, 128, 19, padding=9, padding_mode="circular"), nn.SiLU(), nn.Conv1d(128, 128, 1), nn.SiLU(), nn.Conv1d(128, 128, 1), nn.SiLU(), nn.Conv1d(128, 1, 1))


def mlp():
    return nn.Sequential(nn.Linear(3, 100), nn.SiLU(), nn.Linear(100, 50), nn.SiLU(), nn.Linear(50, 3))


def training_step(network, batch, sigma=0.05):
    optimiser = torch.optim.Adam(network.parameters(), 8e-4, fused=True)

    def loss_of(x, z):
        return ((network(x + sigma * z) + z / sigma) ** 2).mean()

    def step(loss_function):
        z = torch.randn_like(batch)
        loss = loss_function(batch, z)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()

    return loss_of, step


def seconds(step, count):
    for _ in range(5):
        step()
    best = float("inf")
    for _ in range(3):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(count):
            step()
        torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - begin) / count)
    return best


def main():
    print(f"torch {torch.__version__} on {torch.cuda.get_device_name()}")
    found = {}
    for name, make, shape, batch, count in (("unet", UNet, (1, 36), 1024, 50), ("patch", patch, (1, 36), 1024, 100), ("mlp", mlp, (3,), 32, 300), ("mlp-1024", mlp, (3,), 1024, 300)):
        for mode in ("eager", "compiled"):
            torch.manual_seed(1)
            network = make().to(DEVICE)
            loss_of, step = training_step(network, torch.randn(batch, *shape, device=DEVICE))
            try:
                chosen = torch.compile(loss_of) if mode == "compiled" else loss_of
                rate = batch / seconds(lambda: step(chosen), count)
            except Exception as error:  # a machine without a compiler for it
                print(f"{name}-{mode} failed: {type(error).__name__}")
                continue
            found.setdefault(name, {})[mode] = rate
            print(f"{name}-{mode}-samples {rate:.5g}", flush=True)
    if len(sys.argv) > 1:
        own = dict(line.split()[:2] for line in subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout.splitlines())
        for name, rates in found.items():
            mine = float(own[f"{name}-samples"])
            print(f"{name}: {mine:.4g} samples/s here, " + ", ".join(f"{mine / rate:.2f} times {mode}" for mode, rate in rates.items()))


main()
