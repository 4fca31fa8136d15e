#!/usr/bin/env python3
"""What the triad of ../enso_triad.toml cannot know of, in runs as long as the record at parameters drawn from its posterior.

    gfdt calibrate examples/enso_triad.toml
    python3 examples/data/seasons.py enso_triad-run/result.json       needs NumPy

Prints statistics of the record that were no targets beside the median and the band of 90 % of 400 runs.
"""

import json
import pathlib
import sys

import numpy as np

RUNS, STEP, SPIN_UP = 400, 0.05, 400  # months


def record():
    table = pathlib.Path(__file__).parent / "nino34.csv"
    return np.loadtxt(table, delimiter=",", skiprows=1, usecols=1)


def draws(result, random):
    """Parameters from the posterior: normal in m and in the logarithms of the others, which are positive."""
    answer = np.array(list(result["parameters"].values()))
    slope = np.concatenate(([1.0], answer[1:]))
    covariance = np.array(result["parameters_covariance"]) / np.outer(slope, slope)
    centre = np.concatenate((answer[:1], np.log(answer[1:])))
    normal = random.multivariate_normal(centre, covariance, RUNS).T
    return [normal[0], *np.exp(normal[1:])]


def runs(result, months, random):
    """Values of u1 at the ends of months, [month][run]."""
    m, d_u, omega, sigma, sigma3 = draws(result, random)
    steps = round(1 / STEP)
    u1, u2, tau = m.copy(), np.zeros(RUNS), np.zeros(RUNS)
    kept = np.zeros((months, RUNS))
    for step in range(-SPIN_UP * steps, months * steps):
        noise = random.standard_normal((3, RUNS)) * np.sqrt(STEP)
        x = u1 - m
        u1, u2, tau = (u1 + (-d_u * x - omega * u2 + tau) * STEP + sigma * noise[0],
                       u2 + (-d_u * u2 + omega * x) * STEP + sigma * noise[1],
                       tau - tau * STEP + sigma3 * (1 + np.tanh(x)) * noise[2])
        if step >= 0 and step % steps == steps - 1:
            kept[step // steps] = u1
    return kept


def statistics(series):
    months = len(series)
    thirds = series[:months // 3].mean(0), series[-(months // 3):].mean(0)
    x = series - series.mean(0)
    spread = x.std(0)
    by_month = np.array([x[month::12].std(0) for month in range(12)])
    power = np.abs(np.fft.rfft(x, axis=0)[1:])**2
    period = 1 / np.fft.rfftfreq(months)[1:]

    def correlation(month, lag):
        now = x[month:months - lag:12] - x[month:months - lag:12].mean(0)
        later = x[month + lag::12] - x[month + lag::12].mean(0)
        return (now * later).mean(0) / now.std(0) / later.std(0)

    return {"skewness": (x**3).mean(0) / spread**3,
            "kurtosis": (x**4).mean(0) / spread**4,
            "warmest month, °C from the mean": x.max(0),
            "coldest month, °C from the mean": x.min(0),
            "std of the change in a month, °C": np.diff(x, axis=0).std(0),
            "share of variance at periods of 2 to 3 years": power[(period >= 24) & (period < 36)].sum(0) / power.sum(0),
            "share of variance at periods of 3 to 5 years": power[(period >= 36) & (period < 60)].sum(0) / power.sum(0),
            "last third warmer than the first by, °C": thirds[1] - thirds[0],
            "std in December to February over that in April to June": by_month[[11, 0, 1]].mean(0) / by_month[3:6].mean(0),
            "correlation of September with December": correlation(8, 3),
            "correlation of March with June": correlation(2, 3)}


def main():
    result = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    measured = record()
    of_record = statistics(measured[:, None])
    of_runs = statistics(runs(result, len(measured), np.random.default_rng(1)))
    print(f"{'':55}  record   median   90 % band")
    for name, values in of_runs.items():
        low, middle, high = np.quantile(values, (0.05, 0.5, 0.95))
        value = of_record[name][0]
        print(f"{name:55} {value:7.2f} {middle:8.2f}   {low:.2f} to {high:.2f}{'' if low <= value <= high else '   outside'}")


if __name__ == "__main__":
    main()
