"""Prints the steps of the scenes beside it, as the engine that is installed makes them: python record.py >> mujoco.jsonl

Needs the package etalon with etalon[mujoco]. The engine is not needed to judge the steps again."""

import json
from pathlib import Path

import mujoco

import etalon.mujoco

for file in sorted(Path(__file__).parent.glob("*.xml")):
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    step = etalon.mujoco.read(model, data)
    name = f"{file.stem}/{mujoco.__version__}"
    print(json.dumps(etalon.mujoco.record(step, name, model, int(data.solver_niter.max()), {"scene": file.name, "keyframe": 0})))
