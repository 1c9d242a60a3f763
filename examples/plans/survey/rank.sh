#!/bin/sh
# Reads JSON arrays of task outputs, finds in them what count.sh printed, and
# prints two tables: each room of the house, and the ten longest files.
set -eu
export LC_ALL=C

tab=$(printf '\t')
counts='"lines":([0-9]+),"path":"(([^"\\]|\\.)*)","todos":([0-9]+)'

# One line for each file: lines, TODOs, path; the longest file first.
grep -Eo "$counts" \
  | sed -E "s/$counts/\\1$tab\\4$tab\\2/; s/\\\\([\"\\\\])/\\1/g" \
  | sort -t "$tab" -k1,1nr -k3,3 \
  | awk -F "$tab" '
      {
        room = $3
        sub("/.*", "", room)
        if (!(room in files))
          rooms[++room_count] = room
        files[room]++
        lines[room] += $1
        todos[room] += $2
        if (NR <= 10)
          longest[++shown] = $0
      }
      function bar(part, whole) {
        return substr("########################", 1, int(24 * part / whole))
      }
      function row(room, file_count, line_count, todo_count) {
        printf "%-12s %6d %7d %6d\n", room, file_count, line_count, todo_count
      }
      END {
        printf "%-12s %6s %7s %6s\n", "room", "files", "lines", "TODOs"
        for (i = 1; i <= room_count; i++) {
          room = rooms[i]
          row(room, files[room], lines[room], todos[room])
          all_lines += lines[room]
          all_todos += todos[room]
        }
        row("all", NR, all_lines, all_todos)
        printf "\n%7s %6s  %-24s  %s\n", "lines", "TODOs", "", "longest files"
        for (i = 1; i <= shown; i++) {
          split(longest[i], part, "\t")
          if (i == 1)
            most = part[1] > 0 ? part[1] : 1
          printf "%7d %6d  %-24s  %s\n", part[1], part[2], \
                 bar(part[1], most), part[3]
        }
      }
    '
