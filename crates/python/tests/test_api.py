"""What the functions answer."""

import pickle
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

import etalon


def test_the_wrong_answer_of_the_readme(tie):
    verdict = etalon.check(*tie, [0, 0], prove=True)
    assert not verdict and not verdict.accepted
    assert verdict.verdict == "rejected" and verdict.worst_row == 1
    assert verdict.backward_error == 1 and verdict.residual == 0.75 and verdict.distance == 0.5
    assert (verdict.truth, verdict.unique) == ("solvable", "z")
    assert np.array_equal(verdict.solution, [0, 0.75])
    assert "w = -3/4" in verdict.reason
    assert repr(verdict).startswith("<Verdict rejected: row 1")
    for word in ("rejected", "reason", "backward error", "solvable, z is unique", "(0, 3/4)"):
        assert word in str(verdict)
    assert '"verdict":"rejected"' in verdict.to_json()


def test_an_exact_answer_and_one_that_is_nearly(tie):
    assert etalon.check(*tie, [0, 0.75]).verdict == "exact"
    near = etalon.check(*tie, [0, 0.75 + 1e-12])
    assert near.verdict == "accepted" and 0 < near.backward_error < 1e-9
    assert not etalon.check(*tie, [0, 0.75 + 1e-12], tol=0)
    assert not etalon.check(*tie, [0, 0.75 + 1e-12], tol="1e-13")
    exact = etalon.check(*tie, [0, Fraction(3, 4) + Fraction(1, 10**12)], exact=True)
    # w_1 = 10^-12 off its bound, over |M||z| + |q| = z_1 + 3/4.
    assert exact.backward_error == Fraction(1, 10**12) / (Fraction(3, 2) + Fraction(1, 10**12))


def test_what_is_no_claim_is_failed():
    problem = etalon.Problem([[1]], [-1])
    for answer, reason in [(None, "gave up"), ([float("nan")], "z[0]"), ([1, 2], "2"), ("failed", "gave up")]:
        verdict = etalon.check(problem, answer)
        assert verdict.verdict == "failed" and reason in verdict.reason
    with pytest.raises(etalon.DtypeError):
        etalon.check(problem, [1j])


def test_claims_of_unsolvable_are_proved_or_refuted():
    assert etalon.check([[-1]], [-1], "unsolvable").verdict == "proved"
    refuted = etalon.check([[1]], [-1], "unsolvable")
    assert refuted.verdict == "refuted" and refuted.solution[0] == 1
    claim = etalon.solve([[-1]], [-1])
    assert claim.status == "unsolvable" and claim.z is None
    assert claim.certificate == {"kind": "farkas", "y": ["1"]}
    assert etalon.check([[-1]], [-1], claim)


def test_perturbed_answers():
    M, q = [[0.0]], [-1e-20]
    M, q = [[1, 1], [1, 1]], [-1, -1 + 1e-14]
    assert etalon.certify([[1, -1], [-1, 1]], [-1, 1 - 1e-12]).status == "unsolvable"
    M, q, z = [[1, -1], [-1, 1]], [-1, 1 - 1e-12], [2, 1]
    assert etalon.check(M, q, z).verdict == "accepted"
    verdict = etalon.check(M, q, z, prove=True)
    assert verdict.verdict == "perturbed" and not verdict
    assert etalon.check(M, q, z, prove=True, accept_perturbed=True)


@pytest.mark.parametrize("method", [name for name, _ in etalon.methods()])
def test_all_methods_solve(method):
    M, q = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 5]]), np.array([-1.0, 2, -3])
    for lower in (None, 0):
        claim = etalon.solve(M, q, lower=lower, method=method)
        assert claim.solved and claim.method == method and claim.z.shape == (3,)
        assert etalon.check(M, q, claim)
        assert claim.basis is None or set(claim.basis) <= {"0", "1"}
        assert claim.seconds >= 0


def test_the_way_of_doubles_and_the_way_of_exact_data_agree():
    generator = np.random.default_rng(3)
    for n in (1, 5, 30, 60):
        a = generator.standard_normal((n, n))
        M, q = a @ a.T + np.eye(n), generator.standard_normal(n)
        direct = etalon.solve(M, q, method="fast-auto")
        through_records = etalon.solve(etalon.Problem(M, q), method="fast-auto")
        assert np.array_equal(direct.z, through_records.z)
        assert direct.basis == through_records.basis and direct.pivots == through_records.pivots
        exact = etalon.solve(M, q, exact=True)
        assert etalon.check(M, q, exact.z).verdict == "exact"
        assert np.allclose(exact.z.astype(float), direct.z, rtol=1e-9, atol=1e-12)


def test_truth_with_certificates():
    truth = etalon.certify([[2, 1], [1, 2]], [-5, -6], exact=True)
    assert (truth.status, truth.solvable, truth.unique, truth.complete) == ("solvable", True, "z", True)
    assert truth.solutions.shape == (1, 2) and list(truth.solutions[0]) == [Fraction(4, 3), Fraction(7, 3)]
    again = etalon.certify([[2, 1], [1, 2]], [-5, -6], certificate=truth.certificate)
    assert again.unique == "z" and again.status == "solvable"
    with pytest.raises(etalon.CertificateError):
        etalon.certify([[1, 3], [3, 1]], [-5, -6], certificate=truth.certificate)
    with pytest.raises(etalon.CertificateError):
        etalon.certify([[1]], [-1], certificate={"kind": "farkas", "y": ["1"]})
    with pytest.raises(etalon.RecordError):
        etalon.certify([[1]], [-1], certificate={"kind": "belief"})


def test_all_solutions():
    found = etalon.enumerate([[1, 2], [2, 1]], [-1, -1], exact=True)
    third = Fraction(1, 3)
    assert sorted(map(tuple, found.isolated)) == [(0, 1), (third, third), (1, 0)]
    assert found and found.complete and not found.is_empty and found.faces == []
    assert etalon.certify([[1, 2], [2, 1]], [-1, -1], certificate=found.certificate).complete
    [face] = etalon.enumerate([[1, 1], [1, 1]], [-1, -1]).faces
    assert sorted(map(tuple, face.vertices)) == [(0, 1), (1, 0)] and face.rays.shape == (0, 2)
    none = etalon.enumerate([[-1]], [-1])
    assert not none and none.complete and none.is_empty and none.isolated.shape == (0, 1)
    assert "none" in repr(none)


def test_a_budget_that_runs_out():
    [problem] = etalon.generate("murty", 20)
    assert etalon.solve(problem, method="exact-lemke", pivots=1).status == "failed"
    with pytest.raises(etalon.BudgetError, match="pivots"):
        etalon.enumerate(problem, pivots=3)
    assert "pivots" in etalon.certify(problem, pivots=1).gave_up


def test_generated_problems():
    names = [family["name"] for family in etalon.families()]
    assert "murty" in names
    first = list(etalon.generate("degenerate", 6, count=5, seed=2))
    assert first == list(etalon.generate("degenerate", 6, count=5, seed=2))
    assert len({problem.name for problem in first}) == 5 and len(set(first)) == 5
    assert first[0].name == "degenerate/n6/s2/0"
    assert len(list(etalon.generate("murty", 3, count=2))) == 2


def test_goldens_come_with_the_package():
    goldens = etalon.goldens()
    assert len(goldens) > 1000
    assert len({problem.name for problem in goldens}) == len(goldens)
    suites = {problem.suite for problem in goldens}
    assert {"statics", "painleve"} <= suites and any(suite.startswith("generated/") for suite in suites)
    assert all(problem.expect is not None for problem in goldens[:50])
    assert {problem.suite for problem in etalon.goldens("statics")} == {"statics"}


def test_records_and_pickles(tie):
    problem = etalon.Problem(*tie, name="tie")
    assert etalon.Problem.from_json(problem.to_json()) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    golden = etalon.goldens("statics")[0]
    again = pickle.loads(pickle.dumps(golden))
    assert again == golden and again.suite == "statics" and again.expect == golden.expect
    claim = etalon.solve(problem, exact=True)
    again = pickle.loads(pickle.dumps(claim))
    assert again == claim and again.z.dtype == object
    assert claim.name == "tie" and "by certified" in repr(claim)
    assert repr(problem) == "<Problem \"tie\", n = 2>"
    assert etalon.check(problem, etalon.Claim("solved", [0, 0.75]))


def hard():
    """A problem whose solutions take very long to enumerate."""
    n = 60
    return etalon.Problem(-np.eye(n) + 2 * np.triu(np.ones((n, n)), 1), np.full(n, 1.0))


def test_other_threads_run_meanwhile():
    done = threading.Event()
    ticks = []

    def count():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    counter = threading.Thread(target=count)
    counter.start()
    start = time.monotonic()
    with pytest.raises(etalon.BudgetError):
        etalon.enumerate(hard(), time_limit=1.0)
    stop = time.monotonic()
    done.set()
    counter.join()
    assert stop - start > 0.9
    assert sum(start < tick < stop for tick in ticks) > 20


def test_ctrl_c_stops_the_work(tmp_path):
    import signal
    import subprocess
    import sys

    script = tmp_path / "long.py"
    script.write_text(
        "import numpy as np, etalon, signal, time\n"
        # A shell ignores the signal for what it starts in the background.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "n = 60\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    etalon.enumerate(-np.eye(n) + 2 * np.triu(np.ones((n, n)), 1), np.full(n, 1.0))\n"
        "except KeyboardInterrupt:\n"
        "    time.sleep(0.5)\n"
        "    print('stopped', time.process_time(), flush=True)\n"
        "    before = time.process_time(); time.sleep(0.5)\n"
        "    print('idle', time.process_time() - before < 0.2, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        try:
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert "stopped" in out and "idle True" in out


def test_many_threads_at_once():
    problems = list(etalon.generate("degenerate", 8, count=40))
    expected = [etalon.solve(problem, exact=True).z for problem in problems]
    results = {}

    def work(k):
        results[k] = [etalon.solve(problem, exact=True).z for problem in problems]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(4):
        assert all(np.array_equal(a, b) for a, b in zip(results[k], expected, strict=True))
