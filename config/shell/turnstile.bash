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
    --journal | --log-file | --to)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$word"))
      return ;;
    --grace | --concurrency | --from | --keep | --max-age) return ;; # whatever people like
  esac
  local commands=$'run\nresume\nlist\nstatus\nreport\nevents\ncancel\nexplain\njournal'
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
  local running=$'\n--concurrency\n--grace\n--quiet\n--log-level\n--log-file'
  flags=$'--help\n--journal\n--json'
  case $command in
    help) COMPREPLY=($(compgen -W "$commands" -- "$word")); return ;;
    run) flags+=$running$'\n--no-journal' ;;
    resume) flags+=$running ;;
    events) flags+=$'\n--from\n--follow' ;;
    list | status | report | cancel | explain) ;;
    *) return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ $command == run ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"))
  elif [[ $command != list ]] && ((COMP_CWORD == 2)); then
    COMPREPLY=($(compgen -W "$("$1" list 2>/dev/null | cut -d ' ' -f 1)" -- "$word"))
  fi
}

complete -F _turnstile turnstile
