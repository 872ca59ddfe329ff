# Prints what zsh suggests for the command line $LINE with the completions of $SCRIPT. zsh completes only in a terminal, so this makes a pseudo
# terminal. There, compadd prints what it is given.
if [[ $1 == inside ]]; then
  PROMPT=
  autoload -U compinit && compinit -D -u
  eval "$SCRIPT"
  bindkey '^I' complete-word
  # Ends with the first completion.
  finish() { print -r -- '<end>'; exit }
  comppostfuncs=(finish)
  zstyle ':completion:*' insert-tab false
  compadd() {
    # With these options it only fills arrays.
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
      builtin compadd "$@"
      return
    fi
    local -a hits
    local hit
    builtin compadd -A hits "$@"
    for hit in $hits; do print -r -- "<hit>$hit</hit>"; done
    builtin compadd "$@"
  }
  print -r -- '<ready>'
  return
fi
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source ${(q)ZSH_SCRIPT} inside"
zpty -r shell line $'*<ready>\r\n*'
zpty -w -n shell "$LINE"$'\t'
while zpty -r shell line; do
  print -r -- "$line"
  [[ $line == *'<end>'* ]] && break
done
