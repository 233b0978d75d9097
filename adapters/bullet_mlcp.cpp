// Bullet's Dantzig (dantzig, with bounds and friction rows, these to its own approximation) and Lemke (lemke), with the 1000 iterations that its
// world asks for where no other number is given, in double precision.
// Needs: apt-get install libbullet-dev g++
// Build: g++ -O2 -DBT_USE_DOUBLE_PRECISION -I/usr/include/bullet bullet_mlcp.cpp -o bullet_mlcp -lBulletDynamics-float64 -lLinearMath-float64
#include <LinearMath/btMatrixX.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>

#include "lcp_server.hpp"

// A x = b + w.
template <class Solver>
static bool solve(const Lcp& lcp, std::vector<double>& z) {
    const int n = lcp.n;
    btMatrixXu a(n, n);
    btVectorXu b(n), x(n), lower(n), upper(n);
    btAlignedObjectArray<int> normal;
    normal.resize(n);
    for (int i = 0; i < n; ++i) {
        b[i] = btScalar(-lcp.q[i]);
        x[i] = 0;
        lower[i] = btScalar(std::max(lcp.lower[i], -1e30));
        upper[i] = btScalar(std::min(lcp.upper[i], 1e30));
        normal[i] = lcp.normal[i];
        for (int j = 0; j < n; ++j) a.setElem(i, j, btScalar(lcp.m[size_t(i) * n + j]));
    }
    Solver solver;
    const bool solved = solver.solveMLCP(a, b, x, lower, upper, normal, 1000);
    for (int i = 0; i < n; ++i) z[i] = x[i];
    return solved;
}

int main(int argc, char** argv) {
    const bool lemke = argc > 1 && std::strcmp(argv[1], "lemke") == 0;
    if (lemke) return serve("bullet-lemke", solve<btLemkeSolver>);
    return serve("bullet-dantzig", solve<btDantzigSolver>);
}
