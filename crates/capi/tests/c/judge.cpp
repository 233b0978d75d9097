// The header from C++11: ownership by unique_ptr, as docs/c.md shows it.
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "etalon.h"

using Problem = std::unique_ptr<EtalonProblem, void (*)(EtalonProblem *)>;
using Verdict = std::unique_ptr<EtalonVerdict, void (*)(EtalonVerdict *)>;

static Problem problem(const std::vector<double> &m, const std::vector<double> &q)
{
    EtalonProblem *made = nullptr;
    if (etalon_problem_new(q.size(), m.data(), 0, q.data(), &made) != ETALON_STATUS_OK)
        std::fprintf(stderr, "%s\n", etalon_last_error());
    return Problem(made, etalon_problem_free);
}

static Verdict check(const Problem &of, const std::vector<double> &z)
{
    EtalonVerdict *made = nullptr;
    if (etalon_check(of.get(), z.data(), z.size(), nullptr, &made) != ETALON_STATUS_OK)
        std::fprintf(stderr, "%s\n", etalon_last_error());
    return Verdict(made, etalon_verdict_free);
}

int main()
{
    const Problem tie = problem({203.0 / 128, 1, 1, 1}, {-0.75, -0.75});
    const Verdict right = check(tie, {0, 0.75}), wrong = check(tie, {0, 0});
    const Problem no_problem = problem({1, NAN, 0, 1}, {0, 0});
    const bool promised = right && right->kind == ETALON_VERDICT_KIND_EXACT && wrong &&
                          std::string(wrong->reason).find("row 1") == 0 && !no_problem;
    std::puts(promised ? "all as promised" : "broken promises");
    return promised ? 0 : 1;
}
