#compdef turnstile
# What zsh completes behind `turnstile`. Installed as
# share/zsh/site-functions/_turnstile.

_turnstile_run() {
  _arguments -s \
    '(- *)'{-h,--help}'[explain and end]' \
    '--concurrency[attempts at the same time]:number:' \
    '--journal[where the run is kept]:file:_files' \
    '--grace[time for a child to obey TERM]:duration (5s):' \
    '--json[print the results as one JSON object]' \
    '--quiet[tell no progress]' \
    '--log-level[what is logged]:level:(trace debug info warn error critical off)' \
    '--log-file[append the log there]:file:_files' \
    ':plan:_files -g "*.json"'
}

_turnstile() {
  local curcontext=$curcontext state line
  _arguments -C \
    '(- *)'{-h,--help}'[explain and end]' \
    '(- *)--version[print the version and end]' \
    '1:command:((run\:"run a plan to its end" help\:"explain a command"))' \
    '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
    run) _turnstile_run ;;
    help) _arguments '1:command:(run)' ;;
  esac
}

_turnstile "$@"
