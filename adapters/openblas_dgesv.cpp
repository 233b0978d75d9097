// The yardstick of docs/performance.md: the time of OpenBLAS's dgesv for M x = -q, on one thread. It is no solver of complementarity
// problems, so each claim is `failed`; its `seconds` is the median of processor times, the copy of M included.
//
//     apt-get install g++ libopenblas-dev
//     g++ -O2 adapters/openblas_dgesv.cpp -o target/openblas_dgesv -lopenblas
#include <algorithm>
#include <ctime>

#include "lcp_server.hpp"

extern "C" void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* ipiv, double* b, const int* ldb, int* info);
extern "C" void openblas_set_num_threads(int threads);

static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

struct Dgesv {
    const Lcp& lcp;
    std::vector<double> columns, factor, x;
    std::vector<int> pivots;
    int info = 0;

    explicit Dgesv(const Lcp& problem) : lcp(problem), columns(lcp.m.size()), x(lcp.n), pivots(lcp.n) {
        for (int i = 0; i < lcp.n; ++i)
            for (int j = 0; j < lcp.n; ++j) columns[i + size_t(j) * lcp.n] = lcp.m[size_t(i) * lcp.n + j];
    }

    void run() {
        const int one = 1;
        factor = columns;
        for (int i = 0; i < lcp.n; ++i) x[i] = -lcp.q[i];
        dgesv_(&lcp.n, &one, factor.data(), &lcp.n, pivots.data(), x.data(), &lcp.n, &info);
    }

    double seconds(int runs) {
        const double start = now();
        for (int k = 0; k < runs; ++k) run();
        return (now() - start) / runs;
    }
};

// The clock of a process counts in steps of some 0.1 us, so a batch of short runs takes at least 0.3 ms, as in the other measurements.
static double median(Dgesv& dgesv) {
    dgesv.run();
    const double first = std::max(dgesv.seconds(1), 2e-8);
    const int batch = std::max(1, int(3e-4 / first));
    const int rounds = std::min(41, std::max(3, int(0.1 / (first * batch))));
    std::vector<double> times;
    for (int k = 0; k < rounds; ++k) times.push_back(dgesv.seconds(batch));
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
}

int main() {
    openblas_set_num_threads(1);
    for (std::string line; std::getline(std::cin, line);) {
        const Lcp lcp = read(line);
        if (lcp.n == 0 || lcp.m.size() != size_t(lcp.n) * lcp.n) {
            std::fprintf(stderr, "openblas_dgesv: M of %s is no dense square matrix\n", Fields(line).raw_string("name").c_str());
            return 2;
        }
        Dgesv dgesv(lcp);
        const double seconds = median(dgesv);
        std::printf("{\"format\":\"etalon-claim/1\",\"name\":%s,\"method\":\"openblas-dgesv\",\"seconds\":%.9g,\"status\":\"failed\"}\n",
                    Fields(line).raw_string("name").c_str(), seconds);
        std::fflush(stdout);
    }
}
