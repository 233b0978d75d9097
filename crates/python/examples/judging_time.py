"""The time that judging a step of MuJoCo takes, beside the time of making it.

    python crates/python/examples/judging_time.py SCENE.xml [STEPS]

Each step is timed and then its judgement, in turns. Both are medians, so other work on the machine counts little. Solver and
cones are those of the scene. Steps that the bound in binary64 does not accept take far longer, and the median does not show it.
"""

import sys
import time

import mujoco
import numpy as np

import etalon.mujoco


def main(scene, steps=4000):
    model = mujoco.MjModel.from_xml_path(scene)
    data, judge = mujoco.MjData(model), etalon.mujoco.Judge(model)
    judge.start(data)
    times = np.empty((int(steps), 3))
    for row in times:
        start = time.perf_counter()
        mujoco.mj_step(model, data)
        middle = time.perf_counter()
        judge(data)
        row[:] = middle - start, time.perf_counter() - middle, data.nefc
    stepping, judging, rows = np.median(times, axis=0)
    counts = ", ".join(f"{count} {word}" for word, count in judge.words.items())
    print(f"{model.nv} degrees of freedom, {rows:.0f} rows in the median; {counts}")
    print(f"step {stepping * 1e6:.1f} µs, judging {judging * 1e6:.1f} µs: {judging / stepping:.2f} of a step")


if __name__ == "__main__":
    main(*sys.argv[1:])
