# What fish completes behind `turnstile`. Installed as
# share/fish/vendor_completions.d/turnstile.fish.

complete -c turnstile -f
complete -c turnstile -s h -l help -d 'Explain and end'
complete -c turnstile -n __fish_use_subcommand -l version -d 'Print the version and end'
complete -c turnstile -n __fish_use_subcommand -a run -d 'Run a plan to its end'
complete -c turnstile -n __fish_use_subcommand -a help -d 'Explain a command'
complete -c turnstile -n '__fish_seen_subcommand_from help' -a run

set -l run '__fish_seen_subcommand_from run'
complete -c turnstile -n $run -F
complete -c turnstile -n $run -l concurrency -x -d 'Attempts at the same time'
complete -c turnstile -n $run -l journal -r -F -d 'Where the run is kept'
complete -c turnstile -n $run -l grace -x -d 'Time for a child to obey TERM'
complete -c turnstile -n $run -l json -d 'Print the results as one JSON object'
complete -c turnstile -n $run -l quiet -d 'Tell no progress'
complete -c turnstile -n $run -l log-level -x -a 'trace debug info warn error critical off' -d 'What is logged'
complete -c turnstile -n $run -l log-file -r -F -d 'Append the log there'
