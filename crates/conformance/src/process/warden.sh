# Ends a solver when the program that started it is gone, whatever has ended that.
#
# $1: the variable in the environment of all that descends from the solver.
# Standard input: a line with the number of the solver's process group; a second line once the group has
# been ended and its number may be somebody else's; the end when the program is gone.
trap '' HUP INT QUIT TERM PIPE
read -r group
if read -r ended; then
    group=
    read -r nothing
fi
if [ -n "$group" ]; then
    kill -s KILL -- "-$group"
fi
# What has left the group, on Linux. While some are ended others may be started, but not without end.
for round in 1 2 3 4 5 6 7 8 9 10; do
    found=
    for file in $(grep -ls "$1=" /proc/[0-9]*/environ); do
        number=${file#/proc/}
        kill -s KILL "${number%/environ}" && found=1
    done
    [ -n "$found" ] || exit 0
done
