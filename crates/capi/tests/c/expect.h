/* What the test programs share: a check that says where it failed, and the end. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>
#include <string.h>

static int failures;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition,        \
                    etalon_last_error());                                                          \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)

#define EXPECT_TEXT(text, part) EXPECT((text) != NULL && strstr((text), (part)) != NULL)

#endif
