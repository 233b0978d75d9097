// DART's Lemke (lemke) and the Dantzig solver that it took from ODE (dantzig, with bounds and friction rows, these to its own approximation).
// Needs: apt-get install libdart-dev libeigen3-dev g++
// Build: g++ -O2 -I/usr/include/eigen3 dart_lcp.cpp -o dart_lcp -ldart -ldart-external-odelcpsolver
#include <dart/external/odelcpsolver/lcp.h>
#include <dart/lcpsolver/Lemke.hpp>

#include "lcp_server.hpp"

static bool lemke(const Lcp& lcp, std::vector<double>& z) {
    Eigen::MatrixXd m(lcp.n, lcp.n);
    Eigen::VectorXd q(lcp.n), answer;
    for (int i = 0; i < lcp.n; ++i) {
        q[i] = lcp.q[i];
        for (int j = 0; j < lcp.n; ++j) m(i, j) = lcp.m[size_t(i) * lcp.n + j];
    }
    if (lcp.has_bounds || lcp.has_friction || dart::lcpsolver::Lemke(m, q, &answer) != 0) return false;
    z.assign(answer.data(), answer.data() + answer.size());
    return true;
}

// A x = b + w, rows padded to four numbers.
static bool dantzig(const Lcp& lcp, std::vector<double>& z) {
    const int n = lcp.n, stride = dPAD(n);
    std::vector<double> a(size_t(n) * stride), x(n), b(n), w(n), lower = lcp.lower, upper = lcp.upper;
    std::vector<int> normal = lcp.normal;
    for (int i = 0; i < n; ++i) {
        b[i] = -lcp.q[i];
        for (int j = 0; j < n; ++j) a[size_t(i) * stride + j] = lcp.m[size_t(i) * n + j];
        // Friction rows are bounded by hi = mu alone.
        if (normal[i] >= 0) lower[i] = 0;
        // Bounds must hold 0 between them, as its documentation asks.
        if (lower[i] > 0 || upper[i] < 0) return false;
    }
    const bool solved = dart::external::ode::dSolveLCP(n, a.data(), x.data(), b.data(), w.data(), 0, lower.data(),
                                                       upper.data(), normal.data(), false);
    z = x;
    return solved;
}

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "lemke") == 0) return serve("dart-lemke", lemke);
    return serve("dart-dantzig", dantzig);
}
