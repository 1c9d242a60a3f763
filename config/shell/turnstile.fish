# What fish completes behind `turnstile`. Installed as
# share/fish/vendor_completions.d/turnstile.fish.

complete -c turnstile -f
complete -c turnstile -s h -l help -d 'Explain and end'
complete -c turnstile -n __fish_use_subcommand -l version -d 'Print the version and end'
complete -c turnstile -n __fish_use_subcommand -a run -d 'Run a plan to its end'
complete -c turnstile -n __fish_use_subcommand -a resume -d 'Go on with a run that has not ended'
complete -c turnstile -n __fish_use_subcommand -a list -d 'List the runs of a journal'
complete -c turnstile -n __fish_use_subcommand -a status -d 'Tell how a run stands'
complete -c turnstile -n __fish_use_subcommand -a report -d 'Show what became of a run'
complete -c turnstile -n __fish_use_subcommand -a events -d 'Tell what has happened in a run'
complete -c turnstile -n __fish_use_subcommand -a cancel -d 'Cancel a run or a task'
complete -c turnstile -n __fish_use_subcommand -a explain -d 'Say why a task does not run, or ended so'
complete -c turnstile -n __fish_use_subcommand -a journal -d 'Look after a journal'
complete -c turnstile -n __fish_use_subcommand -a help -d 'Explain a command'
complete -c turnstile -n '__fish_seen_subcommand_from help' -a 'run resume list status report events cancel explain journal'

set -l run '__fish_seen_subcommand_from run'
set -l running '__fish_seen_subcommand_from run resume'
set -l any '__fish_seen_subcommand_from run resume list status report events cancel explain'
set -l of_run '__fish_seen_subcommand_from resume status report events cancel explain'
complete -c turnstile -n $run -F
complete -c turnstile -n $of_run -a '(turnstile list 2>/dev/null | cut -d " " -f 1)'
complete -c turnstile -n $any -l journal -r -F -d 'Where runs are kept'
complete -c turnstile -n $any -l json -d 'Print JSON'
complete -c turnstile -n $run -l no-journal -d 'Keep the run nowhere'
complete -c turnstile -n $running -l concurrency -x -d 'Attempts at the same time'
complete -c turnstile -n $running -l grace -x -d 'Time for a child to obey TERM'
complete -c turnstile -n $running -l quiet -d 'Tell no progress'
complete -c turnstile -n $running -l log-level -x -a 'trace debug info warn error critical off' -d 'What is logged'
complete -c turnstile -n $running -l log-file -r -F -d 'Append the log there'
complete -c turnstile -n '__fish_seen_subcommand_from events' -l from -x -d 'The number of the first event'
complete -c turnstile -n '__fish_seen_subcommand_from events' -l follow -d 'Go on as events come'
complete -c turnstile -n '__fish_seen_subcommand_from journal' -a 'verify compact repair' -F
complete -c turnstile -n '__fish_seen_subcommand_from compact' -l keep -x -d 'Ended runs that are left'
complete -c turnstile -n '__fish_seen_subcommand_from compact' -l max-age -x -d 'How long ago they ended at most'
complete -c turnstile -n '__fish_seen_subcommand_from repair' -l to -r -F -d 'The new journal'
complete -c turnstile -n '__fish_seen_subcommand_from verify compact repair' -l json -d 'Print JSON'
