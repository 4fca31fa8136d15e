"""The training jobs of benchmarks/networks.cpp as a user would write them in PyTorch, on all cores. One line a figure."""

import os
import time

import torch
from torch import nn

torch.set_num_threads(os.cpu_count())


def periodic(width_in, width_out, kernel):
    return nn.Conv1d(width_in, width_out, kernel, padding=kernel // 2, padding_mode="circular")


class Block(nn.Sequential):
    def __init__(self, width_in, width_out):
        super().__init__(
            periodic(width_in, width_out, 5), nn.GroupNorm(8, width_out), nn.SiLU(),
            periodic(width_out, width_out, 5), nn.GroupNorm(8, width_out), nn.SiLU(),
        )


class UNet(nn.Module):
    def __init__(self, base=32):
        super().__init__()
        self.top, self.middle, self.bottom = Block(1, base), Block(base, 2 * base), Block(2 * base, 4 * base)
        self.down_top = nn.Conv1d(base, base, 2, stride=2)
        self.down_middle = nn.Conv1d(2 * base, 2 * base, 2, stride=2)
        self.up_middle, self.up_top = Block(6 * base, 2 * base), Block(3 * base, base)
        self.last = nn.Conv1d(base, 1, 1)
        self.doubled = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x):
        top = self.top(x)
        middle = self.middle(self.down_top(top))
        bottom = self.bottom(self.down_middle(middle))
        up = self.up_middle(torch.cat([self.doubled(bottom), middle], dim=1))
        return self.last(self.up_top(torch.cat([self.doubled(up), top], dim=1)))


def steps_per_second(network, data, count, sigma=0.05):
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)

    def step():
        noise = torch.randn_like(data)
        optimiser.zero_grad()
        nn.functional.mse_loss(network(data + sigma * noise), noise).backward()
        optimiser.step()

    for _ in range(3):
        step()
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(count):
            step()
        best = min(best, (time.perf_counter() - start) / count)
    return 1 / best


mlp = nn.Sequential(nn.Linear(3, 100), nn.SiLU(), nn.Linear(100, 50), nn.SiLU(), nn.Linear(50, 3))
patch = nn.Sequential(
    periodic(1, 128, 19), nn.SiLU(), nn.Conv1d(128, 128, 1), nn.SiLU(), nn.Conv1d(128, 128, 1), nn.SiLU(),
    nn.Conv1d(128, 1, 1),
)
print("torch-mlp-steps", steps_per_second(mlp, torch.randn(32, 3), 500))
print("torch-patch-samples", 256 * steps_per_second(patch, torch.randn(256, 1, 36), 15))
print("torch-unet-samples", 256 * steps_per_second(UNet(), torch.randn(256, 1, 36), 8))
