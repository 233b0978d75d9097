"""Writes the FCLIB files of this folder with the HDF5 library itself (pip install h5py numpy): a box on two corners that is
pushed sideways, as a local problem in each of the three storages, with a joint, and as a global problem; and a ball in
space, with and without rolling friction, local and global."""

import h5py
import numpy as np

# A unit cube of mass 1 and inertia 1/6 on the corners at (-1/2, -1/2) and (1/2, -1/2); columns of H are the normal and
# the tangent of each contact, rows x, y and rotation.
H = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [-0.5, 0.5, 0.5, 0.5]], dtype=float)
M = np.diag([1.0, 1.0, 0.25])
F = np.array([0.5, -1.0, 0.0])  # M v_free: pushed and falling
MU = np.array([0.25, 0.5])
W = H.T @ np.linalg.inv(M) @ H
Q = H.T @ np.linalg.inv(M) @ F


def matrix(parent, name, dense, storage):
    group = parent.create_group(name)
    rows, columns = np.nonzero(dense)
    if storage == "columns":
        order = np.lexsort((rows, columns))
        rows, columns = rows[order], columns[order]
        p, i, nz = np.searchsorted(columns, np.arange(dense.shape[1] + 1)), rows, -1
    elif storage == "rows":
        p, i, nz = np.searchsorted(rows, np.arange(dense.shape[0] + 1)), columns, -2
    else:
        # As CSparse has triplets: columns in p, rows in i.
        p, i, nz = columns, rows, len(rows)
    values = dense[rows, columns]
    for key, value in [("nzmax", len(values)), ("m", dense.shape[0]), ("n", dense.shape[1]), ("nz", nz)]:
        group.create_dataset(key, data=np.array([value], dtype=np.int32))
    group.create_dataset("p", data=p.astype(np.int32))
    group.create_dataset("i", data=i.astype(np.int32))
    group.create_dataset("x", data=values)


def local(file, storage, spacedim=2, joint=False):
    with h5py.File(file, "w") as out:
        group = out.create_group("fclib_local")
        group.create_dataset("spacedim", data=np.array([spacedim], dtype=np.int32))
        matrix(group, "W", W, storage)
        vectors = group.create_group("vectors")
        vectors.create_dataset("q", data=Q)
        vectors.create_dataset("mu", data=MU[: 4 // spacedim])
        if joint:
            # No rotation: s + V'r + R l = 0.
            side = np.array([[0.0], [0.0], [1.0]])
            matrix(group, "V", H.T @ np.linalg.inv(M) @ side, storage)
            matrix(group, "R", side.T @ np.linalg.inv(M) @ side, storage)
            vectors.create_dataset("s", data=side.T @ np.linalg.inv(M) @ F)


def whole(file, joint):
    with h5py.File(file, "w") as out:
        group = out.create_group("fclib_global")
        group.create_dataset("spacedim", data=np.array([2], dtype=np.int32))
        matrix(group, "M", M, "rows")
        matrix(group, "H", H, "columns")
        vectors = group.create_group("vectors")
        vectors.create_dataset("f", data=F)
        vectors.create_dataset("w", data=np.zeros(4))
        vectors.create_dataset("mu", data=MU)
        if joint:
            matrix(group, "G", np.array([[0.0], [0.0], [1.0]]), "triplets")
            vectors.create_dataset("b", data=np.zeros(1))


for storage in ("columns", "rows", "triplets"):
    local(f"local_{storage}.hdf5", storage)
local("local_joint.hdf5", "columns", joint=True)
local("local_space.hdf5", "columns", spacedim=3)
whole("global.hdf5", joint=False)
whole("global_joint.hdf5", joint=True)


# A ball of mass 1, radius 1 and inertia 1/4 on a plane: normal z, tangents x and y, rolling about x and y.
BALL = np.diag([1.0, 1.0, 1.0, 0.25, 0.25, 0.25])
BALL_H = np.array(
    [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, -1, 0, 0, 1], [0, 0, 0, 0, 0]], dtype=float
)
BALL_F = np.array([3.0, 0.0, -1.0, 0.0, 0.25, 0.0])


def ball(file, name, rolling, storage):
    h = BALL_H if rolling else BALL_H[:, :3]
    with h5py.File(file, "w") as out:
        group = out.create_group(name)
        group.create_dataset("spacedim", data=np.array([5 if rolling else 3], dtype=np.int32))
        vectors = group.create_group("vectors")
        free = h.T @ np.linalg.inv(BALL) @ BALL_F
        if "global" in name:
            matrix(group, "M", BALL, storage)
            matrix(group, "H", h, storage)
            vectors.create_dataset("f", data=BALL_F)
            vectors.create_dataset("w", data=np.zeros(h.shape[1]))
        else:
            matrix(group, "W", h.T @ np.linalg.inv(BALL) @ h, storage)
            vectors.create_dataset("q", data=free)
        vectors.create_dataset("mu", data=np.array([0.5]))
        if rolling:
            vectors.create_dataset("mu_r", data=np.array([0.125]))
        # What many published files hold: a solution that is none.
        solution = out.create_group("solution")
        solution.create_dataset("r", data=np.zeros(h.shape[1]))


ball("ball_local.hdf5", "fclib_local", False, "rows")
ball("ball_global.hdf5", "fclib_global", False, "triplets")
ball("ball_local_rolling.hdf5", "fclib_local_rolling", True, "columns")
ball("ball_global_rolling.hdf5", "fclib_global_rolling", True, "triplets")
