# A solver under test: projected Gauss-Seidel (Cottle, Pang, Stone, The Linear Complementarity Problem, section 5.2).
#
# Put your own into `solve`. The README beside this file has the command that judges it.

include("protocol.jl")

const SWEEPS = 1000

# z with lower <= z <= upper, where w = M * z + q is at least 0 off the upper bound and at most 0 off the lower one.
function solve(M, q, lower, upper)
    n = length(q)
    any(M[i, i] <= 0 for i in 1:n) && return nothing  # the method divides by the diagonal
    z = clamp.(zeros(n), lower, upper)
    for _ in 1:SWEEPS
        moved, largest = 0.0, 0.0
        for i in 1:n
            w = q[i] + sum(M[i, j] * z[j] for j in 1:n)
            new = clamp(z[i] - w / M[i, i], lower[i], upper[i])
            moved = max(moved, abs(new - z[i]))
            largest = max(largest, abs(new))
            z[i] = new
        end
        moved <= 1e-14 * largest && return z
    end
    return nothing  # it has not settled
end

serve("my-solver", solve; can=["boxes"])
