/* What etalon.h promises of right, wrong, unsolvable and bad input, seen from C. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "etalon.h"
#include "expect.h"

static const double TIE_M[] = {203.0 / 128, 1, 1, 1};
static const double TIE_Q[] = {-0.75, -0.75};

static EtalonProblem *tie(void)
{
    EtalonProblem *problem = NULL;
    EXPECT(etalon_problem_new(2, TIE_M, 0, TIE_Q, &problem) == ETALON_STATUS_OK);
    EXPECT(etalon_problem_size(problem) == 2);
    return problem;
}

static EtalonOptions *proving(void)
{
    EtalonOptions *options = etalon_options_new();
    options->prove = true;
    return options;
}

static void right(void)
{
    const double z[] = {0, 0.75}, near[] = {0, 0.75 + 1e-12};
    EtalonProblem *problem = tie();
    EtalonOptions *options = proving();
    EtalonVerdict *verdict = NULL;
    char *json = NULL;
    EXPECT(etalon_check(problem, z, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_EXACT && verdict->accepted);
    EXPECT(strcmp(verdict->word, "exact") == 0 && verdict->reason == NULL);
    EXPECT(verdict->backward_error == 0 && verdict->residual == 0 && verdict->worst_row == -1);
    EXPECT(verdict->truth == ETALON_TRUTH_SOLVABLE && verdict->solution_size == 0);
    EXPECT(etalon_verdict_json(verdict, &json) == ETALON_STATUS_OK);
    EXPECT_TEXT(json, "\"verdict\":\"exact\"");
    etalon_string_free(json);
    etalon_verdict_free(verdict);

    EXPECT(etalon_check(problem, near, 2, options, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_ACCEPTED && verdict->accepted);
    EXPECT(verdict->backward_error > 1e-13 && verdict->backward_error < 1e-11);
    EXPECT(verdict->distance > 1e-13 && verdict->distance < 1e-11 && verdict->worst_row == 1);
    EXPECT(verdict->unique == ETALON_UNIQUE_Z);
    etalon_verdict_free(verdict);

    /* A tolerance of 0 takes nothing but the truth. */
    options->tolerance = 0;
    EXPECT(etalon_check(problem, near, 2, options, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_REJECTED && !verdict->accepted);
    etalon_verdict_free(verdict);
    etalon_options_free(options);
    etalon_problem_free(problem);
}

static void wrong(void)
{
    const double zeros[] = {0, 0}, infinite[] = {0, INFINITY}, nan_[] = {NAN, 0};
    const double negative[] = {-0.0009765625, 0.75 + 1e-14};
    double z[2] = {-1, -1};
    EtalonProblem *problem = tie();
    EtalonOptions *options = proving();
    EtalonVerdict *verdict = NULL;
    char *fraction = NULL;
    EXPECT(etalon_check(problem, zeros, 2, options, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_REJECTED && !verdict->accepted);
    EXPECT_TEXT(verdict->reason, "row 1: w = -3/4 must not be negative");
    EXPECT(verdict->backward_error == 1 && verdict->residual == 0.75 && verdict->distance == 0.5);
    EXPECT(verdict->error > 0.38 && verdict->error < 0.381 && verdict->grade == ETALON_GRADE_GROSS);
    EXPECT(verdict->worst_row == 1 && verdict->unique == ETALON_UNIQUE_Z);
    EXPECT(verdict->solution_size == 2);
    EXPECT(etalon_verdict_solution(verdict, z, 2) == ETALON_STATUS_OK);
    EXPECT(z[0] == 0 && z[1] == 0.75);
    EXPECT(etalon_verdict_solution(verdict, z, 3) == ETALON_STATUS_SIZE);
    EXPECT(etalon_verdict_solution(verdict, NULL, 2) == ETALON_STATUS_POINTER);
    EXPECT(etalon_verdict_solution_text(verdict, 1, &fraction) == ETALON_STATUS_OK);
    EXPECT(fraction != NULL && strcmp(fraction, "3/4") == 0);
    etalon_string_free(fraction);
    EXPECT(etalon_verdict_solution_text(verdict, 2, &fraction) == ETALON_STATUS_ABSENT);
    EXPECT(fraction == NULL);
    etalon_verdict_free(verdict);

    /* Below its bound: after it is moved onto it, row 1 alone is wrong, and less so. */
    EXPECT(etalon_check(problem, negative, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_REJECTED && verdict->worst_row == 0);
    EXPECT(verdict->negativity > 1e-3 && verdict->backward_error < 1e-9);
    EXPECT_TEXT(verdict->reason, "row 0: z = ");
    etalon_verdict_free(verdict);

    /* What is no vector of n finite numbers is no answer. */
    EXPECT(etalon_check(problem, nan_, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_FAILED && !verdict->accepted);
    EXPECT_TEXT(verdict->reason, "z[0] is NaN");
    EXPECT(isnan(verdict->backward_error) && verdict->worst_row == -1);
    etalon_verdict_free(verdict);
    EXPECT(etalon_check(problem, infinite, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_FAILED);
    EXPECT_TEXT(verdict->reason, "z[1] is inf");
    etalon_verdict_free(verdict);
    EXPECT(etalon_check(problem, zeros, 1, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_FAILED);
    etalon_verdict_free(verdict);

    /* A solvable problem that was given up as unsolvable. */
    EXPECT(etalon_check_unsolvable(problem, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_REFUTED && verdict->solution_size == 2);
    etalon_verdict_free(verdict);
    etalon_options_free(options);
    etalon_problem_free(problem);
}

/* z1 - z2 = 1 and z1 - z2 = 1 - 1e-12 at once: solvers call that solved. */
static void unsolvable(void)
{
    const double m[] = {1, -1, -1, 1}, q[] = {-1, 1 - 1e-12}, z[] = {2, 1};
    EtalonProblem *problem = NULL;
    EtalonOptions *options = proving();
    EtalonVerdict *verdict = NULL;
    EtalonAnswer *answer = NULL;
    char *json = NULL;
    EXPECT(etalon_problem_new(2, m, 2, q, &problem) == ETALON_STATUS_OK);
    EXPECT(etalon_check_unsolvable(problem, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_PROVED && verdict->accepted);
    EXPECT(verdict->truth == ETALON_TRUTH_UNSOLVABLE);
    etalon_verdict_free(verdict);

    EXPECT(etalon_check(problem, z, 2, options, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_PERTURBED && !verdict->accepted);
    etalon_verdict_free(verdict);
    options->accept_perturbed = true;
    EXPECT(etalon_check(problem, z, 2, options, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_PERTURBED && verdict->accepted);
    etalon_verdict_free(verdict);

    EXPECT(etalon_solve(problem, NULL, &answer) == ETALON_STATUS_OK);
    EXPECT(answer->kind == ETALON_ANSWER_KIND_UNSOLVABLE && answer->exact && answer->size == 0);
    EXPECT(etalon_answer_json(answer, &json) == ETALON_STATUS_OK);
    EXPECT_TEXT(json, "\"certificate\":");
    /* The answer is a claim, and its certificate a proof. */
    EXPECT(etalon_check_json(problem, json, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_PROVED);
    etalon_verdict_free(verdict);
    etalon_string_free(json);
    etalon_answer_free(answer);
    etalon_options_free(options);
    etalon_problem_free(problem);
}

static void solved(void)
{
    /* 3 z = 1 has no answer in binary64. */
    const double m[] = {3}, q[] = {-1};
    EtalonProblem *problem = NULL;
    EtalonOptions *options = etalon_options_new();
    EtalonAnswer *answer = NULL;
    EtalonVerdict *verdict = NULL;
    char *text = NULL;
    double z = 0;
    EXPECT(etalon_problem_new(1, m, 0, q, &problem) == ETALON_STATUS_OK);
    EXPECT(etalon_solve(problem, NULL, &answer) == ETALON_STATUS_OK);
    EXPECT(answer->kind == ETALON_ANSWER_KIND_SOLVED && answer->exact && answer->size == 1);
    EXPECT(strcmp(answer->method, "certified") == 0);
    EXPECT(etalon_answer_solution(answer, &z, 1) == ETALON_STATUS_OK && z == 1.0 / 3);
    EXPECT(etalon_answer_solution_text(answer, 0, &text) == ETALON_STATUS_OK);
    EXPECT(text != NULL && strcmp(text, "1/3") == 0);
    etalon_string_free(text);
    etalon_answer_free(answer);
    EXPECT(etalon_check_json(problem, "{\"name\":\"x\",\"status\":\"solved\",\"z\":[\"1/3\"]}", NULL,
                             &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_EXACT);
    etalon_verdict_free(verdict);

    options->method = "fast-dantzig";
    EXPECT(etalon_solve(problem, options, &answer) == ETALON_STATUS_OK);
    EXPECT(answer->kind == ETALON_ANSWER_KIND_SOLVED && !answer->exact);
    EXPECT(strcmp(answer->method, "fast-dantzig") == 0);
    etalon_answer_free(answer);
    options->method = "exact-lemke";
    options->pivots = 1;
    etalon_problem_free(problem);

    /* A budget that runs out is no "unsolvable". */
    problem = tie();
    EXPECT(etalon_solve(problem, options, &answer) == ETALON_STATUS_OK);
    EXPECT(answer->kind == ETALON_ANSWER_KIND_FAILED && !answer->exact && answer->size == 0);
    EXPECT_TEXT(answer->message, "pivots");
    EXPECT(etalon_answer_solution(answer, &z, 1) == ETALON_STATUS_ABSENT);
    etalon_answer_free(answer);
    etalon_options_free(options);
    etalon_problem_free(problem);
}

/* A block pushed sideways: normal force 10, and 3 of friction where mu 10 = 5 would be possible. */
static void bounds_and_friction(void)
{
    const double m[] = {1, 0, 0, 1}, q[] = {-10, -3}, z[] = {10, 3};
    const double lower[] = {0, 0}, upper[] = {INFINITY, 0.5};
    const double boxed[] = {0, -2}, top[] = {INFINITY, 2}, at_top[] = {10, 2};
    const double crossed[] = {0, 3}, not_a_bound[] = {0, NAN};
    const int findex[] = {-1, 0};
    const EtalonFriction friction[] = {{1, 0, 0.25}}, outside[] = {{2, 0, 0.5}};
    EtalonProblem *problem = NULL;
    EtalonVerdict *verdict = NULL;
    EXPECT(etalon_problem_new(2, m, 0, q, &problem) == ETALON_STATUS_OK);
    EXPECT(etalon_problem_set_findex(problem, lower, upper, findex) == ETALON_STATUS_OK);
    EXPECT(etalon_check(problem, z, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_EXACT);
    etalon_verdict_free(verdict);
    /* With mu = 1/4 the block slides. */
    EXPECT(etalon_problem_set_friction(problem, friction, 1) == ETALON_STATUS_OK);
    EXPECT(etalon_check(problem, z, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_REJECTED);
    etalon_verdict_free(verdict);
    EXPECT(etalon_problem_set_friction(problem, outside, 1) == ETALON_STATUS_FRICTION);
    EXPECT_TEXT(etalon_last_error(), "friction[0]");
    EXPECT(etalon_problem_set_friction(problem, NULL, 0) == ETALON_STATUS_OK);
    EXPECT(etalon_problem_set_bounds(problem, boxed, top) == ETALON_STATUS_OK);
    EXPECT(etalon_check(problem, at_top, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_EXACT);
    etalon_verdict_free(verdict);
    EXPECT(etalon_problem_set_bounds(problem, crossed, top) == ETALON_STATUS_BOUNDS);
    EXPECT_TEXT(etalon_last_error(), "crossed");
    EXPECT(etalon_problem_set_bounds(problem, not_a_bound, NULL) == ETALON_STATUS_BOUNDS);
    EXPECT_TEXT(etalon_last_error(), "lower[1] is NaN");
    EXPECT(etalon_problem_set_bounds(problem, NULL, not_a_bound) == ETALON_STATUS_BOUNDS);
    /* A failed change leaves the problem as it was. */
    EXPECT(etalon_check(problem, at_top, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_EXACT);
    etalon_verdict_free(verdict);
    etalon_problem_free(problem);
}

static void other_forms(void)
{
    /* Rows padded as ODE pads them; what stands between them is not read. */
    const double padded[] = {203.0 / 128, 1, NAN, NAN, 1, 1}, z[] = {0, 0.75};
    const size_t rows[] = {1, 0, 0, 1}, columns[] = {1, 0, 1, 0}, twice[] = {1, 0, 0, 0};
    const double values[] = {1, 203.0 / 128, 1, 1};
    EtalonProblem *problems[3] = {NULL, NULL, NULL}, *none = NULL;
    EtalonVerdict *verdict = NULL;
    char *json = NULL;
    int k;
    EXPECT(etalon_problem_new(2, padded, 4, TIE_Q, &problems[0]) == ETALON_STATUS_OK);
    EXPECT(etalon_problem_new_sparse(2, 4, rows, columns, values, TIE_Q, &problems[1]) ==
           ETALON_STATUS_OK);
    EXPECT(etalon_problem_new_sparse(2, 4, twice, columns, values, TIE_Q, &none) ==
           ETALON_STATUS_ENTRY);
    EXPECT(etalon_problem_set_name(problems[0], "tie") == ETALON_STATUS_OK);
    EXPECT(etalon_problem_json(problems[0], &json) == ETALON_STATUS_OK);
    EXPECT_TEXT(json, "\"name\":\"tie\"");
    EXPECT(etalon_problem_from_json(json, &problems[2]) == ETALON_STATUS_OK);
    etalon_string_free(json);
    for (k = 0; k < 3; ++k) {
        EXPECT(etalon_check(problems[k], z, 2, NULL, &verdict) == ETALON_STATUS_OK);
        EXPECT(verdict->kind == ETALON_VERDICT_KIND_EXACT);
        etalon_verdict_free(verdict);
        etalon_problem_free(problems[k]);
    }
}

static void bad_input(void)
{
    const double nan_m[] = {1, 0, 0, NAN}, infinite[] = {0, INFINITY}, z[] = {0, 0.75};
    const size_t place[] = {0};
    _Alignas(double) char bytes[8 * sizeof(double)] = {0};
    const double *misaligned = (const double *)(const void *)(bytes + 1);
    EtalonProblem *problem = NULL, *good = tie();
    EtalonVerdict *verdict = NULL;
    EtalonAnswer *answer = NULL;
    EtalonOptions *options = etalon_options_new();
    char *json = NULL;
    EXPECT(etalon_problem_new(2, NULL, 0, TIE_Q, &problem) == ETALON_STATUS_POINTER);
    EXPECT_TEXT(etalon_last_error(), "m is NULL");
    EXPECT(etalon_problem_new(2, TIE_M, 0, NULL, &problem) == ETALON_STATUS_POINTER);
    EXPECT(etalon_problem_new(2, TIE_M, 0, TIE_Q, NULL) == ETALON_STATUS_POINTER);
    EXPECT(etalon_problem_new(2, misaligned, 0, TIE_Q, &problem) == ETALON_STATUS_POINTER);
    EXPECT(etalon_problem_new(2, nan_m, 0, TIE_Q, &problem) == ETALON_STATUS_NOT_FINITE);
    EXPECT_TEXT(etalon_last_error(), "m[1][1] is NaN");
    problem = good;
    EXPECT(etalon_problem_new(2, TIE_M, 0, infinite, &problem) == ETALON_STATUS_NOT_FINITE);
    EXPECT(problem == NULL);
    EXPECT(etalon_problem_new(SIZE_MAX, TIE_M, 0, TIE_Q, &problem) == ETALON_STATUS_SIZE);
    EXPECT_TEXT(etalon_last_error(), "limit");
    EXPECT(etalon_problem_new(32769, TIE_M, 0, TIE_Q, &problem) == ETALON_STATUS_SIZE);
    EXPECT(etalon_problem_new(2, TIE_M, 1, TIE_Q, &problem) == ETALON_STATUS_SIZE);
    EXPECT(etalon_problem_new(2, TIE_M, SIZE_MAX, TIE_Q, &problem) == ETALON_STATUS_SIZE);
    EXPECT(etalon_problem_new_sparse(SIZE_MAX, 1, place, place, TIE_M, TIE_Q, &problem) ==
           ETALON_STATUS_SIZE);
    EXPECT(etalon_problem_new_sparse(1, SIZE_MAX, place, place, TIE_M, TIE_Q, &problem) ==
           ETALON_STATUS_SIZE);
    EXPECT(etalon_problem_new_sparse(1, SIZE_MAX / 32, NULL, place, TIE_M, TIE_Q, &problem) ==
           ETALON_STATUS_POINTER);
    EXPECT(etalon_problem_from_json("{\"M\": [[1, 2]], \"q\": [1]}", &problem) == ETALON_STATUS_RECORD);
    EXPECT(etalon_problem_from_json("\xff", &problem) == ETALON_STATUS_RECORD);
    EXPECT(etalon_problem_set_bounds(NULL, NULL, NULL) == ETALON_STATUS_POINTER);
    EXPECT(etalon_problem_set_findex(good, NULL, NULL, NULL) == ETALON_STATUS_POINTER);
    EXPECT(etalon_problem_size(NULL) == 0);
    EXPECT(etalon_problem_json(NULL, &json) == ETALON_STATUS_POINTER && json == NULL);

    EXPECT(etalon_check(NULL, z, 2, NULL, &verdict) == ETALON_STATUS_POINTER);
    EXPECT(etalon_check(good, NULL, 2, NULL, &verdict) == ETALON_STATUS_POINTER);
    EXPECT(etalon_check(good, z, SIZE_MAX, NULL, &verdict) == ETALON_STATUS_SIZE);
    EXPECT(etalon_check(good, z, 2, NULL, NULL) == ETALON_STATUS_POINTER);
    EXPECT(etalon_check_json(good, "no record", NULL, &verdict) == ETALON_STATUS_RECORD);
    EXPECT(etalon_solve(NULL, NULL, &answer) == ETALON_STATUS_POINTER && answer == NULL);
    EXPECT(etalon_verdict_solution(NULL, NULL, 0) == ETALON_STATUS_POINTER);
    options->tolerance = NAN;
    EXPECT(etalon_check(good, z, 2, options, &verdict) == ETALON_STATUS_OPTION && verdict == NULL);
    EXPECT_TEXT(etalon_last_error(), "tolerance");
    options->tolerance = 1e-9;
    options->time_limit = -1;
    EXPECT(etalon_solve(good, options, &answer) == ETALON_STATUS_OPTION);
    options->time_limit = INFINITY;
    options->method = "exact-lemkee";
    EXPECT(etalon_solve(good, options, &answer) == ETALON_STATUS_OPTION);
    EXPECT_TEXT(etalon_last_error(), "exact-lemke,");

    etalon_problem_free(NULL);
    etalon_options_free(NULL);
    etalon_verdict_free(NULL);
    etalon_answer_free(NULL);
    etalon_string_free(NULL);
    etalon_options_free(options);
    etalon_problem_free(good);
}

static void cones(void)
{
    /* A contact with M = 1: the normal force is 1 and right, the tangential one 3/4 where mu allows 1/2. */
    const char *text = "{\"name\": \"c\", \"M\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"q\": [-1, 0, 0],"
                       " \"cones\": [{\"rows\": [0, 1, 2], \"mu\": 0.5}]}";
    const double outside[] = {1, 0.75, 0};
    EtalonProblem *problem = NULL;
    EtalonVerdict *verdict = NULL;
    EXPECT(etalon_problem_from_json(text, &problem) == ETALON_STATUS_OK);
    EXPECT(etalon_check(problem, outside, 3, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(verdict->kind == ETALON_VERDICT_KIND_REJECTED && verdict->block_error > 0.19);
    /* As `etalon check` says of the same record. */
    EXPECT(verdict->outside > 1.0 / 7 - 1e-9 && verdict->outside < 1.0 / 7 + 1e-9);
    EXPECT(verdict->negativity > 0.24 && verdict->negativity < 0.26);
    etalon_verdict_free(verdict);
    etalon_problem_free(problem);

    const double z[] = {0, 0.75};
    problem = tie();
    EXPECT(etalon_check(problem, z, 2, NULL, &verdict) == ETALON_STATUS_OK);
    EXPECT(isnan(verdict->outside) && isnan(verdict->block_error));
    etalon_verdict_free(verdict);
    etalon_problem_free(problem);
}

int main(void)
{
    EXPECT(etalon_abi_version() == ETALON_ABI_VERSION);
    EXPECT(strcmp(etalon_last_error(), "") == 0);
    EXPECT_TEXT(etalon_version(), "(GMP ");
    right();
    wrong();
    unsolvable();
    solved();
    bounds_and_friction();
    cones();
    other_forms();
    bad_input();
    if (failures == 0)
        puts("all as promised");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
