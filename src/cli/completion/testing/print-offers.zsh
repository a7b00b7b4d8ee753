# Makes TAB print what an interactive zsh offers:  source print-offers.zsh SETUP
# SETUP is a command that calls compinit and loads the completion.
PROMPT=
autoload -U compinit
eval $1
zstyle ':completion:*' insert-tab false
compadd() {
  local -a offered
  # With these options, a function of zsh only asks what would match.
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    builtin compadd -O offered "$@"
    (($#offered)) && print -rl -- "offered "$^offered
  fi
  builtin compadd "$@"
}
offer() {
  _main_complete
  # The line stays as it is, and nothing is listed.
  compstate[insert]= compstate[list]=
  print "finished"
}
zle -C offer complete-word offer
bindkey '^I' offer
stty -echo -onlcr
print "ready"
