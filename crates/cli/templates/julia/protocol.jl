# The protocol of etalon-claim/1 on standard input and output, for a solver of one's own. Needs the package JSON:
#
#     julia -e 'import Pkg; Pkg.add("JSON")'
#
# `serve(name, solve)` answers each problem line with a claim line. `solve(M, q)` takes a matrix and a vector and returns z, or `nothing`
# where it gives up. With `can=["boxes"]` it is called as `solve(M, q, lower, upper)`, where a bound that is not there is an infinity. With
# `can=["boxes", "friction"]` it is called as `solve(M, q, lower, upper, normal)`: a row i of friction has normal[i] = j and
# |z_i| <= upper[i] z_j; any other row has normal[i] = 0. Rows count from 1. Print nothing else on standard output.

using JSON

say(record) = (println(stdout, JSON.json(record)); flush(stdout))

# A number, or "inf" and "-inf" of a bound that is not there.
number(x::Real) = Float64(x)
number(x::AbstractString) = parse(Float64, x)
numbers(values) = Float64[number(x) for x in values]

function serve(name, solve; can=nothing)
    can === nothing || say(Dict("format" => "etalon-solver/1", "can" => can))
    for line in eachline(stdin)
        problem = JSON.parse(line)
        claim = Dict{String,Any}(
            "format" => "etalon-claim/1", "name" => problem["name"], "method" => name, "status" => "failed")
        try
            start = time_ns()
            z = solve(arguments(problem, can === nothing ? String[] : can)...)
            claim["seconds"] = (time_ns() - start) / 1e9
            if z !== nothing
                claim["status"] = "solved"
                # JSON has no number that is not finite: it becomes null, which no claim may have, and is reported as such.
                claim["z"] = [isfinite(x) ? Float64(x) : nothing for x in z]
            end
        catch error
            claim["message"] = first(sprint(showerror, error), 200)  # a solver's failure is an answer
        end
        say(claim)
    end
end

function arguments(problem, can)
    q = numbers(problem["q"])
    n = length(q)
    M = Float64[number(problem["M"][i][j]) for i in 1:n, j in 1:n]
    lower = numbers(get(problem, "lower", zeros(n)))
    upper = numbers(get(problem, "upper", fill(Inf, n)))
    normal = zeros(Int, n)
    for row in get(problem, "friction", [])
        i, mu = row["row"] + 1, number(row["mu"])
        normal[i], lower[i], upper[i] = row["normal"] + 1, -mu, mu
    end
    "friction" in can && return (M, q, lower, upper, normal)
    "boxes" in can && return (M, q, lower, upper)
    return (M, q)
end
