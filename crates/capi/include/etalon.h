/* Etalon: the standard that contact and complementarity solvers are checked against.
 *
 * w = M z + q with, row by row, w >= 0 where z is at its lower bound, w <= 0 where it is at its upper bound, and w = 0
 * between (pure LCP: z >= 0, w >= 0, z'w = 0). Solvers that speak of A x = b + w mean M = A, q = -b.
 *
 *   EtalonProblem *problem = NULL; EtalonVerdict *verdict = NULL;
 *   if (etalon_problem_new(n, m, 0, q, &problem) || etalon_check(problem, z, n, NULL, &verdict))
 *       fprintf(stderr, "%s\n", etalon_last_error());
 *   else
 *       printf("%s, backward error %g\n", verdict->word, verdict->backward_error);
 *   etalon_verdict_free(verdict); etalon_problem_free(problem);
 *
 * Numbers: a double means exactly its binary value, and no rounding decides anything.
 * Errors: functions that can fail return an EtalonStatus, 0 for success, and leave what went wrong in
 *   etalon_last_error(), one message per thread. On failure every output is NULL (or untouched, where it is an array).
 * Ownership: what a function hands out through a pointer to a pointer is freed by the function of that name (..._free),
 *   strings by etalon_string_free; freeing NULL does nothing. Inputs are copied and never kept.
 * Threads: any number of threads may use one problem, options, verdict or answer at once as long as none changes or
 *   frees it. There is no global state but the last error of each thread.
 * Compatibility: structs here are made by the library only, so later versions may add fields at their ends; call no
 *   sizeof on them. What would break a program that was compiled before raises ETALON_ABI_VERSION.
 */

#ifndef ETALON_H
#define ETALON_H

/* Written by cbindgen from crates/capi/src; do not edit. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Raised by every change that breaks programs compiled before.
 */
#define ETALON_ABI_VERSION 1

/**
 * How a call ended. etalon_last_error() says more.
 */
typedef enum EtalonStatus {
    /**
     * It did what it should.
     */
    ETALON_STATUS_OK = 0,
    /**
     * A pointer is NULL or misaligned.
     */
    ETALON_STATUS_POINTER = 1,
    /**
     * A size is over the limits, or another than the problem's.
     */
    ETALON_STATUS_SIZE = 2,
    /**
     * NaN, or an infinity that is no bound.
     */
    ETALON_STATUS_NOT_FINITE = 3,
    /**
     * A row's bounds leave it no value.
     */
    ETALON_STATUS_BOUNDS = 4,
    /**
     * A friction row that cannot be.
     */
    ETALON_STATUS_FRICTION = 5,
    /**
     * An entry of a sparse matrix outside of it, or given twice.
     */
    ETALON_STATUS_ENTRY = 6,
    /**
     * An option out of its range, or a method that does not exist.
     */
    ETALON_STATUS_OPTION = 7,
    /**
     * A text that is no record, or not UTF-8.
     */
    ETALON_STATUS_RECORD = 8,
    /**
     * There is no such thing: no entry of that index, or no solution to show.
     */
    ETALON_STATUS_ABSENT = 9,
    /**
     * The memory does not suffice.
     */
    ETALON_STATUS_MEMORY = 10,
    /**
     * A defect of the library: please report it.
     */
    ETALON_STATUS_INTERNAL = 11,
} EtalonStatus;

/**
 * By which measure an answer is right or wrong.
 */
typedef enum EtalonMeasure {
    /**
     * The natural-scale error: independent of units, forgives the rounding of stable solvers.
     */
    ETALON_MEASURE_NATURAL = 0,
    /**
     * The componentwise backward error and what is outside.
     */
    ETALON_MEASURE_COMPONENTWISE = 1,
    /**
     * The block error and what is outside.
     */
    ETALON_MEASURE_BLOCK = 2,
} EtalonMeasure;

/**
 * The verdicts.
 */
typedef enum EtalonVerdictKind {
    /**
     * z solves the problem exactly.
     */
    ETALON_VERDICT_KIND_EXACT = 0,
    /**
     * The error is within the tolerance, or the distance from an exact solution is.
     */
    ETALON_VERDICT_KIND_ACCEPTED = 1,
    /**
     * Within the tolerance, but this very problem provably has no solution.
     */
    ETALON_VERDICT_KIND_PERTURBED = 2,
    /**
     * Claimed solved, and it is not.
     */
    ETALON_VERDICT_KIND_REJECTED = 3,
    /**
     * Claimed unsolvable, and provably so.
     */
    ETALON_VERDICT_KIND_PROVED = 4,
    /**
     * Claimed unsolvable, with neither a proof nor a solution at hand.
     */
    ETALON_VERDICT_KIND_UNPROVED = 5,
    /**
     * Claimed unsolvable, and there is an exact solution.
     */
    ETALON_VERDICT_KIND_REFUTED = 6,
    /**
     * No answer: of another length, or not finite.
     */
    ETALON_VERDICT_KIND_FAILED = 7,
} EtalonVerdictKind;

/**
 * How wrong an answer is.
 */
typedef enum EtalonGrade {
    /**
     * Both measures accept it, or there is no z.
     */
    ETALON_GRADE_NONE = 0,
    /**
     * Only the componentwise backward error or what is outside is over the tolerance.
     */
    ETALON_GRADE_NOISE = 1,
    /**
     * Wrong in the row's own natural size.
     */
    ETALON_GRADE_WRONG = 2,
    /**
     * Wrong even against the largest size of a row in the whole problem.
     */
    ETALON_GRADE_GROSS = 3,
} EtalonGrade;

/**
 * What is proved of a problem.
 */
typedef enum EtalonTruth {
    /**
     * Nothing: no search was asked for, or the budget ran out.
     */
    ETALON_TRUTH_UNKNOWN = 0,
    /**
     * It has a solution.
     */
    ETALON_TRUTH_SOLVABLE = 1,
    /**
     * It has none.
     */
    ETALON_TRUTH_UNSOLVABLE = 2,
} EtalonTruth;

/**
 * What all solutions of a problem share, as far as it is proved.
 */
typedef enum EtalonUnique {
    /**
     * Nothing that is known.
     */
    ETALON_UNIQUE_NONE = 0,
    /**
     * z: there is exactly one solution.
     */
    ETALON_UNIQUE_Z = 1,
    /**
     * w = M z + q.
     */
    ETALON_UNIQUE_W = 2,
} EtalonUnique;

/**
 * The three things a solver can say.
 */
typedef enum EtalonAnswerKind {
    /**
     * Here is a solution.
     */
    ETALON_ANSWER_KIND_SOLVED = 0,
    /**
     * There is none; etalon_answer_json() holds the proof.
     */
    ETALON_ANSWER_KIND_UNSOLVABLE = 1,
    /**
     * The method gave up, or ran out of its budget, which says nothing about the problem.
     */
    ETALON_ANSWER_KIND_FAILED = 2,
} EtalonAnswerKind;

/**
 * A problem, opaque to C.
 */
typedef struct EtalonProblem EtalonProblem;

/**
 * A row bounded by another one: `-mu z[normal] <= z[row] <= mu z[normal]`, in place of the row's own bounds.
 */
typedef struct EtalonFriction {
    /**
     * The tangential row.
     */
    size_t row;
    /**
     * The normal row, whose own lower bound is at least 0.
     */
    size_t normal;
    /**
     * The coefficient of friction, at least 0.
     */
    double mu;
} EtalonFriction;

/**
 * What a caller may choose. Made by etalon_options_new() with the defaults; set what should be otherwise.
 */
typedef struct EtalonOptions {
    /**
     * Largest error of an accepted answer: at least 0, below 1; default 1e-9. Taken by its shortest decimal text, so
     * that 1e-9 is 1/1000000000.
     */
    double tolerance;
    /**
     * Which error that is; default ETALON_MEASURE_NATURAL.
     */
    enum EtalonMeasure measure;
    /**
     * For the backward error, entries within this of a bound in natural size may count as on it; default 1e-12, 0 for
     * none.
     */
    double snap;
    /**
     * Whether to look for the truth of every problem that is checked, not only where a claim hangs on it: then
     * `truth`, `unique`, `distance` and the verdict "perturbed" can be had. Default false.
     */
    bool prove;
    /**
     * Whether an answer to a neighbour of an unsolvable problem (verdict "perturbed") counts as accepted. Default
     * false.
     */
    bool accept_perturbed;
    /**
     * How etalon_solve() solves: "certified", "exact-lemke", ..., as `etalon solve --help` lists them; NULL for the
     * default, "certified". The caller keeps the text until after the last call with these options.
     */
    const char *method;
    /**
     * Longest time for the exact arithmetic of one call, in seconds; INFINITY for none. 0, the default, means none for
     * solving, and for the proofs of a check the work of about a minute, which is counted and not timed: then results do
     * not depend on the machine.
     */
    double time_limit;
    /**
     * Largest number of pivots of one call; 0, the default, for 1000000.
     */
    uint64_t pivots;
} EtalonOptions;

/**
 * What is said of a claim. Measures are computed exactly and rounded up; NAN where there is none.
 */
typedef struct EtalonVerdict {
    /**
     * The verdict.
     */
    enum EtalonVerdictKind kind;
    /**
     * Whether it counts as right.
     */
    bool accepted;
    /**
     * The verdict's word: "exact", "accepted", "rejected", ...
     */
    const char *word;
    /**
     * For what is not accepted, one phrase with the worst row; also where the certificate of a claim does not hold.
     * Otherwise NULL.
     */
    const char *reason;
    /**
     * The natural-scale error: row by row, z is exact for data changed by at most this, relatively, and unknowns
     * changed by at most this times their natural size.
     */
    double error;
    /**
     * The smallest eps for which z exactly solves an LCP with |dM| <= eps |M| and |dq| <= eps |q|, entry by entry.
     */
    double backward_error;
    /**
     * The largest violation of a bound, in the natural size of the unknown; with friction cones of a bound or a
     * cone, relative to the largest force, which decides nothing.
     */
    double negativity;
    /**
     * The natural residual max_i |z_i - mid(l_i, z_i - w_i, u_i)|; with friction cones the Euclidean norm of
     * r - P_K(r - u - g e_N), and NaN where that is not defined.
     */
    double residual;
    /**
     * Distance from the nearest exact solution that is known, in natural sizes.
     */
    double distance;
    /**
     * For an accepted answer far from the only solution: the distance. Otherwise NAN.
     */
    double ill_conditioned;
    /**
     * How wrong an answer is that one of the measures does not accept.
     */
    enum EtalonGrade grade;
    /**
     * The row that sets the error; -1 where it is 0.
     */
    int64_t worst_row;
    /**
     * How many entries were moved onto a bound (option `snap`)...
     */
    size_t snapped_entries;
    /**
     * ...and how far at most, in natural size.
     */
    double snapped_furthest;
    /**
     * What is proved of the problem.
     */
    enum EtalonTruth truth;
    /**
     * What is proved to be unique.
     */
    enum EtalonUnique unique;
    /**
     * How many entries the exact solution has that shows what would have been right: n, or 0 where there is none.
     */
    size_t solution_size;
    /**
     * Why what the problem's record states of itself (`expect`) is false, where it is: no fault of the claim, which is
     * judged as if nothing was stated. Otherwise NULL.
     */
    const char *false_expect;
    /**
     * The block error: with friction cones, and by ETALON_MEASURE_BLOCK. Otherwise NaN.
     */
    double block_error;
    /**
     * With friction cones the largest violation of a bound or a cone in natural sizes, which decides together with
     * the error. Otherwise NaN.
     */
    double outside;
} EtalonVerdict;

/**
 * What a method says of a problem.
 */
typedef struct EtalonAnswer {
    /**
     * The answer.
     */
    enum EtalonAnswerKind kind;
    /**
     * Whether it is exact: what a fast method answers is right up to rounding.
     */
    bool exact;
    /**
     * Which method answered.
     */
    const char *method;
    /**
     * For people, such as why it gave up; or NULL.
     */
    const char *message;
    /**
     * How many entries the solution has: n, or 0 where there is none.
     */
    size_t size;
    /**
     * How many pivots it took.
     */
    uint64_t pivots;
} EtalonAnswer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The ETALON_ABI_VERSION that the library was compiled with: compare it with that of the header.
 */
uint32_t etalon_abi_version(void);

/**
 * The library's version with that of its arithmetic, such as "0.1.0 (GMP 6.3.0)". Never freed.
 */
const char *etalon_version(void);

/**
 * What went wrong in the last call of this thread that failed, in a sentence; "" before the first. The text stays
 * until the next such call of this thread.
 */
const char *etalon_last_error(void);

/**
 * A pure problem: z >= 0, w >= 0, z'w = 0. `m` holds n rows of n doubles, each row `stride` doubles after the one
 * before it (0: n), `q` n doubles. At most 32768 rows.
 */
enum EtalonStatus etalon_problem_new(size_t n,
                                     const double *m,
                                     size_t stride,
                                     const double *q,
                                     struct EtalonProblem **problem);

/**
 * A pure problem whose matrix has `count` entries `values[k]` at `(rows[k], columns[k])`, in any order, and is 0
 * elsewhere. At most 10000000 rows.
 */
enum EtalonStatus etalon_problem_new_sparse(size_t n,
                                            size_t count,
                                            const size_t *rows,
                                            const size_t *columns,
                                            const double *values,
                                            const double *q,
                                            struct EtalonProblem **problem);

/**
 * A problem from an etalon-problem/1 record, which can hold exact fractions. Of its `expect` verdicts believe what is proved, until bounds or friction are set.
 */
enum EtalonStatus etalon_problem_from_json(const char *record,
                                           struct EtalonProblem **problem);

/**
 * Bounds on z, n each: -INFINITY and INFINITY for none, both for a bilateral row (w = 0). NULL stands for the
 * default, 0 below and INFINITY above. On failure the problem stays as it was.
 */
enum EtalonStatus etalon_problem_set_bounds(struct EtalonProblem *problem, const double *lower, const double *upper);

/**
 * Rows bounded by other rows; replaces those that were set before. On failure the problem stays as it was.
 */
enum EtalonStatus etalon_problem_set_friction(struct EtalonProblem *problem,
                                              const struct EtalonFriction *rows,
                                              size_t count);

/**
 * Bounds and friction as ODE, Bullet and DART state them, n each: where `findex[i] >= 0`, `upper[i]` is the coefficient
 * of friction mu and `-mu z[findex[i]] <= z[i] <= mu z[findex[i]]`; elsewhere `lower[i] <= z[i] <= upper[i]`. Replaces
 * all bounds and friction rows. On failure the problem stays as it was.
 */
enum EtalonStatus etalon_problem_set_findex(struct EtalonProblem *problem,
                                            const double *lower,
                                            const double *upper,
                                            const int *findex);

/**
 * The name that the problem's records carry; "problem" where none was set.
 */
enum EtalonStatus etalon_problem_set_name(struct EtalonProblem *problem, const char *name);

/**
 * The number of rows n; 0 for NULL.
 */
size_t etalon_problem_size(const struct EtalonProblem *problem);

/**
 * The etalon-problem/1 record in one line: what to keep of a problem that went wrong.
 */
enum EtalonStatus etalon_problem_json(const struct EtalonProblem *problem, char **json);

/**
 * Frees a problem.
 */
void etalon_problem_free(struct EtalonProblem *problem);

/**
 * Options with their defaults. NULL in place of options means the same.
 */
struct EtalonOptions *etalon_options_new(void);

/**
 * Frees options, but not the text of their `method`.
 */
void etalon_options_free(struct EtalonOptions *options);

/**
 * Judges a solver's answer z of `length` entries: does it solve the problem? NaN, an infinity or another length than n
 * is no answer, which is the verdict "failed" and not an error.
 */
enum EtalonStatus etalon_check(const struct EtalonProblem *problem,
                               const double *z,
                               size_t length,
                               const struct EtalonOptions *options,
                               struct EtalonVerdict **verdict);

/**
 * Judges the claim that the problem has no solution, which is proved or refuted within the time limit.
 */
enum EtalonStatus etalon_check_unsolvable(const struct EtalonProblem *problem,
                                          const struct EtalonOptions *options,
                                          struct EtalonVerdict **verdict);

/**
 * Judges an etalon-claim/1 record, which can hold exact fractions and certificates; its name is not compared.
 */
enum EtalonStatus etalon_check_json(const struct EtalonProblem *problem,
                                    const char *claim,
                                    const struct EtalonOptions *options,
                                    struct EtalonVerdict **verdict);

/**
 * What would have been right, in doubles nearest to the exact values: `size` must be the verdict's `solution_size`,
 * and not 0.
 */
enum EtalonStatus etalon_verdict_solution(const struct EtalonVerdict *verdict, double *z, size_t size);

/**
 * Entry i of the same, exactly: "-7/5".
 */
enum EtalonStatus etalon_verdict_solution_text(const struct EtalonVerdict *verdict, size_t i, char **fraction);

/**
 * The etalon-verdict/1 record in one line.
 */
enum EtalonStatus etalon_verdict_json(const struct EtalonVerdict *verdict, char **json);

/**
 * Frees a verdict with its texts.
 */
void etalon_verdict_free(struct EtalonVerdict *verdict);

/**
 * Solves a problem by the method of the options. That a method gives up is the answer "failed" and not an error.
 */
enum EtalonStatus etalon_solve(const struct EtalonProblem *problem,
                               const struct EtalonOptions *options,
                               struct EtalonAnswer **answer);

/**
 * The solution, in doubles nearest to the exact values: `size` must be the answer's `size`, and not 0.
 */
enum EtalonStatus etalon_answer_solution(const struct EtalonAnswer *answer, double *z, size_t size);

/**
 * Entry i of the solution, exactly: "-7/5".
 */
enum EtalonStatus etalon_answer_solution_text(const struct EtalonAnswer *answer, size_t i, char **fraction);

/**
 * The etalon-claim/1 record in one line, with the exact solution or the proof that there is none.
 */
enum EtalonStatus etalon_answer_json(const struct EtalonAnswer *answer, char **json);

/**
 * Frees an answer with its texts.
 */
void etalon_answer_free(struct EtalonAnswer *answer);

/**
 * Frees a string that a function here has handed out.
 */
void etalon_string_free(char *string);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ETALON_H */
