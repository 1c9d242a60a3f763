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
    --journal | --log-file)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$word"))
      return ;;
    --grace | --concurrency) return ;; # whatever people like
  esac
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W $'run\nhelp\n--help\n--version' -- "$word"))
  elif [[ $command == help ]]; then
    COMPREPLY=($(compgen -W run -- "$word"))
  elif [[ $command == run && $word == -* ]]; then
    flags=$'--help\n--concurrency\n--journal\n--grace\n--json\n--quiet'
    flags+=$'\n--log-level\n--log-file'
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ $command == run ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"))
  fi
}

complete -F _turnstile turnstile
