// Judges the Dantzig solver of Bullet (libbullet-dev, double precision) in-process:
// c++ judge_bullet.cpp -DBT_USE_DOUBLE_PRECISION -I/usr/include/bullet $(pkg-config --cflags --libs etalon)
//     -lBulletDynamics-float64 -lLinearMath-float64 -Wl,-rpath,$HOME/.local/lib
#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <etalon.h>

#include <cmath>
#include <cstdio>

int main()
{
    // Bullet asks for x with A x = b + w.
    const int n = 2;
    double A[n * n] = {203.0 / 128, 1, 1, 1}, b[n] = {0.75, 0.75}, x[n] = {}, w[n] = {};
    double lo[n] = {0, 0}, hi[n] = {INFINITY, INFINITY}, q[n] = {-b[0], -b[1]};
    int findex[n] = {-1, -1};

    EtalonProblem *problem = nullptr; // its own copy: the solver overwrites its input
    EtalonVerdict *verdict = nullptr;
    EtalonOptions *options = etalon_options_new();
    options->prove = true;
    if (etalon_problem_new(n, A, 0, q, &problem) || etalon_problem_set_findex(problem, lo, hi, findex))
        return std::printf("%s\n", etalon_last_error()), 2;

    btDantzigScratchMemory scratch;
    const bool solved = btSolveDantzigLCP(n, A, x, b, w, 0, lo, hi, findex, scratch);
    std::printf("Bullet says %s: x = (%g, %g)\n", solved ? "solved" : "failed", x[0], x[1]);

    if (etalon_check(problem, x, n, options, &verdict))
        return std::printf("%s\n", etalon_last_error()), 2;
    std::printf("Etalon says %s%s%s\n", verdict->word, verdict->reason ? ": " : "", verdict->reason ? verdict->reason : "");
    for (size_t i = 0; i < verdict->solution_size; ++i) {
        char *exact = nullptr;
        etalon_verdict_solution_text(verdict, i, &exact);
        std::printf("right is x[%zu] = %s\n", i, exact);
        etalon_string_free(exact);
    }
    const bool accepted = verdict->accepted;
    etalon_verdict_free(verdict), etalon_options_free(options), etalon_problem_free(problem);
    return accepted ? 0 : 1;
}
