// The protocol of etalon-claim/1 for solvers in C++: reads problem lines, answers each with a claim line.
//
//     int main() { return serve("my-solver", [](const Lcp& p, std::vector<double>& z) { return solved; }); }
//
// A third argument says first what the solver can do, as the option --can of `etalon diff` would: {"boxes", "friction"}, or {} for M and
// q alone. Without it the solver is asked.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <unistd.h>

struct Lcp {
    int n = 0;
    std::vector<double> m, q, lower, upper;  // m by rows; bounds are 0 and infinity unless given
    // Friction rows: |z_i| <= mu z_j where normal[i] = j, else -1; then upper[i] = mu, lower[i] = -mu.
    std::vector<int> normal;
    bool has_bounds = false, has_friction = false;
};

// Just as much of JSON as `etalon` writes: its own records, on one line each.
class Fields {
public:
    explicit Fields(const std::string& line) : line_(line) {}

    // The text of a field at the top of the record, or null. Names of fields inside strings do not occur.
    const char* find(const char* field) const {
        const std::string key = std::string("\"") + field + "\":";
        const size_t at = line_.find(key);
        return at == std::string::npos ? nullptr : line_.c_str() + at + key.size();
    }

    // A string with its quotes and escapes, as it stands.
    std::string raw_string(const char* field) const {
        const char* at = find(field);
        if (!at) return "\"\"";
        const char* end = at + 1;
        while (*end && *end != '"') end += *end == '\\' ? 2 : 1;
        return std::string(at, end + 1);
    }

    std::vector<double> numbers(const char* field) const {
        std::vector<double> values;
        const char* at = find(field);
        for (int depth = 0; at && *at;) {
            if (*at == '[') { ++depth; ++at; }
            else if (*at == ']') { ++at; if (--depth == 0) break; }
            else if (*at == ',' || *at == ' ') ++at;
            else if (*at == '"') {
                const double infinity = std::numeric_limits<double>::infinity();
                values.push_back(at[1] == '-' ? -infinity : infinity);
                at = std::strchr(at + 1, '"') + 1;
            } else {
                char* end;
                values.push_back(std::strtod(at, &end));
                if (end == at) break;
                at = end;
            }
        }
        return values;
    }

private:
    const std::string& line_;
};

inline Lcp read(const std::string& line) {
    const Fields fields(line);
    Lcp lcp;
    lcp.q = fields.numbers("q");
    lcp.n = static_cast<int>(lcp.q.size());
    lcp.m = fields.numbers("M");
    lcp.lower = fields.numbers("lower");
    lcp.upper = fields.numbers("upper");
    lcp.has_bounds = !lcp.lower.empty() || !lcp.upper.empty();
    if (lcp.lower.empty()) lcp.lower.assign(lcp.n, 0.0);
    if (lcp.upper.empty()) lcp.upper.assign(lcp.n, std::numeric_limits<double>::infinity());
    lcp.normal.assign(lcp.n, -1);
    const char* at = fields.find("friction");
    while (at && (at = std::strstr(at, "\"row\":"))) {
        const int row = std::atoi(at + 6);
        lcp.normal[row] = std::atoi(std::strstr(at, "\"normal\":") + 9);
        at = std::strstr(at, "\"mu\":") + 5;
        lcp.upper[row] = std::atof(at);
        lcp.lower[row] = -lcp.upper[row];
        lcp.has_friction = true;
    }
    return lcp;
}

// Answers with claims on this file.
template <class Solve>
int serve_on(std::FILE* claims, const char* name, Solve solve) {
    for (std::string line; std::getline(std::cin, line);) {
        const Lcp lcp = read(line);
        std::vector<double> z(lcp.n, 0.0);
        const auto start = std::chrono::steady_clock::now();
        const bool solved = solve(lcp, z);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::fprintf(claims, "{\"format\":\"etalon-claim/1\",\"name\":%s,\"method\":\"%s\",\"seconds\":%.9g,\"status\":\"%s\"",
                     Fields(line).raw_string("name").c_str(), name, took.count(), solved ? "solved" : "failed");
        if (solved) {
            std::fprintf(claims, ",\"z\":[");
            for (int i = 0; i < lcp.n; ++i) std::fprintf(claims, "%s%.17g", i ? "," : "", z[i]);
            std::fprintf(claims, "]");
        }
        std::fprintf(claims, "}\n");
        std::fflush(claims);
    }
    return 0;
}

// What a library prints on standard output is no claim: it goes to standard error.
inline std::FILE* standard_output() {
    std::ios::sync_with_stdio(false);
    std::FILE* const claims = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return claims;
}

// `solve` fills z and returns whether the solver calls it solved.
template <class Solve>
int serve(const char* name, Solve solve) {
    return serve_on(standard_output(), name, solve);
}

template <class Solve>
int serve(const char* name, Solve solve, std::initializer_list<const char*> can) {
    std::FILE* const claims = standard_output();
    std::fprintf(claims, "{\"format\":\"etalon-solver/1\",\"can\":[");
    const char* comma = "";
    for (const char* word : can) {
        std::fprintf(claims, "%s\"%s\"", comma, word);
        comma = ",";
    }
    std::fprintf(claims, "]}\n");
    std::fflush(claims);
    return serve_on(claims, name, solve);
}
