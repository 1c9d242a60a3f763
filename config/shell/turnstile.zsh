#compdef turnstile
# What zsh completes behind `turnstile`. Installed as
# share/zsh/site-functions/_turnstile.

_turnstile_runs() {
  local -a runs
  runs=(${(f)"$(turnstile list 2>/dev/null | cut -d ' ' -f 1)"})
  _describe run runs
}

_turnstile_flags() {
  local -a any running logging proof
  any=(
    '(- *)'{-h,--help}'[explain and end]'
    '--journal[where runs are kept]:file:_files'
    '--json[print JSON]'
  )
  running=(
    '--concurrency[attempts at the same time]:number:'
    '--grace[time for a child to obey TERM]:duration (5s):'
    '--quiet[tell no progress]'
  )
  logging=(
    '--log-level[what is logged]:level:(trace debug info warn error critical off)'
    '--log-file[append the log there]:file:_files'
  )
  proof=(
    '--connect[the server]:host and port:'
    '--certificate[who this is]:file:_files'
    '--key[of the certificate]:file:_files'
    '--authority[whose certificates are believed]:file:_files'
    '--insecure[beyond this machine without certificates]'
  )
  case $1 in
    run)
      _arguments -s $any $running $logging $proof \
        '--no-journal[keep the run nowhere]' \
        '--run[the identity of a run at a server]:identity:' \
        ':plan:_files -g "*.json"' ;;
    resume) _arguments -s $any $running $logging ':run:_turnstile_runs' ;;
    list) _arguments -s $any ;;
    status | report) _arguments -s $any ':run:_turnstile_runs' ;;
    events)
      _arguments -s $any \
        '--from[the number of the first event]:number:' \
        '--follow[go on as events come]' \
        ':run:_turnstile_runs' ;;
    journal)
      _arguments -s \
        '(- *)'{-h,--help}'[explain and end]' \
        '--json[print JSON]' \
        '--keep[ended runs that are left]:number (1000):' \
        '--max-age[how long ago they ended at most]:duration (720h):' \
        '--to[the new journal of a repair]:file:_files' \
        ':what to do:(verify compact repair)' \
        ':file:_files' ;;
    cancel) _arguments -s $any $proof ':run:_turnstile_runs' ':task:' ;;
    explain) _arguments -s $any ':run:_turnstile_runs' ':task:' ;;
    nodes)
      _arguments -s $proof \
        '(- *)'{-h,--help}'[explain and end]' \
        '--json[print JSON]' ;;
    serve)
      _arguments -s $logging \
        '(- *)'{-h,--help}'[explain and end]' \
        '--listen[where]:host and port (127.0.0.1\:4747):' \
        '--name[what others call it]:name:' \
        '--concurrency[attempts at the same time]:number:' \
        '--journal[where runs are kept]:file:_files' \
        '--no-journal[keep runs nowhere]' \
        '--insecure[beyond this machine without certificates]' \
        ':settings:_files -g "*.json"' ;;
    worker)
      _arguments -s $logging \
        '(- *)'{-h,--help}'[explain and end]' \
        '--connect[the server]:host and port:' \
        '--name[what others call it]:name:' \
        '--insecure[beyond this machine without certificates]' \
        ':settings:_files -g "*.json"' ;;
  esac
}

_turnstile() {
  local curcontext=$curcontext state line
  _arguments -C \
    '(- *)'{-h,--help}'[explain and end]' \
    '(- *)--version[print the version and end]' \
    '1:command:((run\:"run a plan to its end" resume\:"go on with a run that has not ended" list\:"list the runs of a journal" status\:"tell how a run stands" report\:"show what became of a run" events\:"tell what has happened in a run" cancel\:"cancel a run or a task" explain\:"say why a task does not run, or ended so" journal\:"look after a journal" serve\:"serve workers and clients" worker\:"work for a server" nodes\:"tell how a server stands" help\:"explain a command"))' \
    '*::argument:->argument'
  [[ $state == argument ]] || return
  case $line[1] in
    help) _arguments '1:command:(run resume list status report events cancel explain journal serve worker nodes)' ;;
    *) _turnstile_flags $line[1] ;;
  esac
}

_turnstile "$@"
