/* Judges claims about problems, both a record a line in the files named, and says of each what etalon_check_json does. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "etalon.h"
#include "expect.h"

int main(int argc, char **argv)
{
    EXPECT(argc == 3);
    FILE *problems = fopen(argv[1], "r"), *claims = fopen(argv[2], "r");
    EXPECT(problems != NULL && claims != NULL);
    char *problem_line = NULL, *claim_line = NULL;
    size_t problem_size = 0, claim_size = 0;
    while (getline(&problem_line, &problem_size, problems) > 0 && getline(&claim_line, &claim_size, claims) > 0) {
        EtalonProblem *problem = NULL;
        EtalonVerdict *verdict = NULL;
        char *json = NULL;
        EXPECT(etalon_problem_from_json(problem_line, &problem) == ETALON_STATUS_OK);
        EXPECT(etalon_check_json(problem, claim_line, NULL, &verdict) == ETALON_STATUS_OK);
        EXPECT(etalon_verdict_json(verdict, &json) == ETALON_STATUS_OK);
        printf("%d %d %s\n", verdict->accepted, verdict->false_expect != NULL, json);
        etalon_string_free(json);
        etalon_verdict_free(verdict);
        etalon_problem_free(problem);
    }
    free(problem_line);
    free(claim_line);
    fclose(problems);
    fclose(claims);
    return failures != 0;
}
