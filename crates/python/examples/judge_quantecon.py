"""Judges QuantEcon's Lemke. Needs: pip install quantecon"""

from quantecon.optimize import lcp_lemke
import etalon

right = 0
for problem in etalon.generate("degenerate", n=6, count=100):
    answer = lcp_lemke(problem.M, problem.q)
    verdict = etalon.check(problem, answer.z if answer.success else None, prove=True)
    right += verdict.accepted
    if not verdict:
        print(verdict)
print(f"{right} of 100 right")
