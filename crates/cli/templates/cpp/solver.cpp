// A solver under test: projected Gauss-Seidel (Cottle, Pang, Stone, The Linear Complementarity Problem, section 5.2).
//
// Put your own into `solve`. The README beside this file has the commands that build and judge it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lcp_server.hpp"

constexpr int sweeps = 1000;

// Fills z and says whether it is solved: lower <= z <= upper, where w = Mz + q is at least 0 off the upper bound and at most 0
// off the lower one.
bool solve(const Lcp& p, std::vector<double>& z) {
    const int n = p.n;
    for (int i = 0; i < n; ++i) {
        if (p.m[i * n + i] <= 0.0) return false;  // the method divides by the diagonal
        z[i] = std::min(std::max(0.0, p.lower[i]), p.upper[i]);
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double moved = 0.0, largest = 0.0;
        for (int i = 0; i < n; ++i) {
            double w = p.q[i];
            for (int j = 0; j < n; ++j) w += p.m[i * n + j] * z[j];
            const double next = std::min(std::max(z[i] - w / p.m[i * n + i], p.lower[i]), p.upper[i]);
            moved = std::max(moved, std::abs(next - z[i]));
            largest = std::max(largest, std::abs(next));
            z[i] = next;
        }
        if (moved <= 1e-14 * largest) return true;
    }
    return false;  // it has not settled
}

int main() { return serve("my-solver", solve, {"boxes"}); }
