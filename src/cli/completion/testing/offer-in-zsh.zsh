# Prints what an interactive zsh offers at the end of command lines:  zsh -f offer-in-zsh.zsh SETUP LINE...
# SETUP is a command that loads the completion. After the words of each line comes a line with =.
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
# Sends a text, and reads lines until one ends with a word.
talk() {
  local line
  zpty -w -n shell $1
  while zpty -r shell line; do
    line=${${line%$'\n'}%$'\r'}
    [[ $line == *"offered "* ]] && print -r -- ${line##*offered }
    [[ $line == *$2 ]] && return
  done
}
talk "source ${(q)0:A:h}/print-offers.zsh ${(q)1}"$'\n' ready
for line in "${@:2}"; do
  talk $'\x15'$line$'\t' finished | sort -u
  print =
done
zpty -d shell
