# What bash completes behind `turnstile`. Installed as
# share/bash-completion/completions/turnstile.

_turnstile() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local command=${COMP_WORDS[1]} flags IFS=$'\n'
  COMPREPLY=()
  if [[ $word == = ]]; then # --log-level=
    word=
  elif [[ $before == = ]]; then # --log-level=in
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $before in
    --log-level)
      COMPREPLY=($(compgen -W \
        $'trace\ndebug\ninfo\nwarn\nerror\ncritical\noff' -- "$word"))
      return ;;
    --journal | --log-file | --to | --certificate | --key | --authority)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$word"))
      return ;;
    --grace | --concurrency | --from | --keep | --max-age | --connect | --listen | --name | --run) return ;; # whatever people like
  esac
  local commands=$'run\nresume\nlist\nstatus\nreport\nevents\ncancel\nexplain\njournal\nserve\nworker\nnodes'
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$commands"$'\nhelp\n--help\n--version' -- "$word"))
    return
  fi
  if [[ $command == journal ]]; then
    if ((COMP_CWORD == 2)); then
      local verbs=$'verify\ncompact\nrepair'
      [[ $word == -* ]] && verbs=--help
      COMPREPLY=($(compgen -W "$verbs" -- "$word"))
    elif [[ $word == -* ]]; then
      flags=$'--help\n--json'
      [[ ${COMP_WORDS[2]} == compact ]] && flags+=$'\n--keep\n--max-age'
      [[ ${COMP_WORDS[2]} == repair ]] && flags+=$'\n--to'
      COMPREPLY=($(compgen -W "$flags" -- "$word"))
    else
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$word"))
    fi
    return
  fi
  local logging=$'\n--log-level\n--log-file'
  local running=$'\n--concurrency\n--grace\n--quiet'$logging
  local proof=$'\n--connect\n--certificate\n--key\n--authority\n--insecure'
  flags=$'--help\n--journal\n--json'
  case $command in
    help) COMPREPLY=($(compgen -W "$commands" -- "$word")); return ;;
    run) flags+=$running$proof$'\n--no-journal\n--run' ;;
    resume) flags+=$running ;;
    events) flags+=$'\n--from\n--follow' ;;
    cancel) flags+=$proof ;;
    nodes) flags=$'--help\n--json'$proof ;;
    serve) flags=$'--help\n--listen\n--name\n--concurrency\n--journal\n--no-journal\n--insecure'$logging ;;
    worker) flags=$'--help\n--connect\n--name\n--insecure'$logging ;;
    list | status | report | explain) ;;
    *) return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ $command == run || $command == serve || $command == worker ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"))
  elif [[ $command != list && $command != nodes ]] && ((COMP_CWORD == 2)); then
    COMPREPLY=($(compgen -W "$("$1" list 2>/dev/null | cut -d ' ' -f 1)" -- "$word"))
  fi
}

complete -F _turnstile turnstile
