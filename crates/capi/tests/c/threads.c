/* One problem, many threads: verdicts do not mix, and each thread has its own last error. */
#include <pthread.h>
#include <stdlib.h>

#include "etalon.h"
#include "expect.h"

enum { THREADS = 8, ROUNDS = 100, N = 6 };

static const EtalonProblem *problem;
static const EtalonOptions *options;

static void *work(void *argument)
{
    const long own = (long)argument;
    char expected[64];
    long round;
    int mistakes = 0;
    for (round = 0; round < ROUNDS; ++round) {
        EtalonVerdict *verdict = NULL;
        EtalonAnswer *answer = NULL;
        double z[N], bad[N * N] = {0}, q[N] = {0};
        EtalonProblem *none = NULL;
        if (etalon_solve(problem, options, &answer) || etalon_answer_solution(answer, z, N))
            ++mistakes;
        /* Each thread spoils an entry of its own. */
        z[own % N] += 1;
        if (etalon_check(problem, z, N, NULL, &verdict) || verdict->accepted)
            ++mistakes;
        etalon_verdict_free(verdict);
        etalon_answer_free(answer);
        bad[own] = 1.0 / 0.0;
        if (etalon_problem_new(N, bad, 0, q, &none) != ETALON_STATUS_NOT_FINITE)
            ++mistakes;
        snprintf(expected, sizeof expected, "m[%ld][%ld] is inf", own / N, own % N);
        if (strncmp(etalon_last_error(), expected, strlen(expected)) != 0)
            ++mistakes;
    }
    return mistakes == 0 ? NULL : argument;
}

int main(void)
{
    double m[N * N], q[N];
    EtalonProblem *made = NULL;
    EtalonOptions *choice = etalon_options_new();
    pthread_t threads[THREADS];
    long i, j;
    for (i = 0; i < N; ++i) {
        q[i] = (i % 2 == 0) ? -1 : 0.1;
        for (j = 0; j < N; ++j)
            m[i * N + j] = (i == j) ? 4 : 1.0 / (double)(i + j + 1);
    }
    EXPECT(etalon_problem_new(N, m, 0, q, &made) == ETALON_STATUS_OK);
    problem = made;
    choice->method = "exact-lemke";
    options = choice;
    for (i = 0; i < THREADS; ++i)
        EXPECT(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (i = 0; i < THREADS; ++i) {
        void *mistaken = NULL;
        EXPECT(pthread_join(threads[i], &mistaken) == 0 && mistaken == NULL);
    }
    etalon_options_free(choice);
    etalon_problem_free(made);
    if (failures == 0)
        puts("all as promised");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
