" Baton: your other machines see which file you edit, and go on with it.
" The script of Vim 9 and Neovim 0.7 or newer; see :help baton.

if exists('g:loaded_baton') || &compatible || !has('timers') || !(has('nvim') || has('job'))
  finish
endif
let g:loaded_baton = 1

" Terminals in this editor tell `baton continue` where it was typed.
let $BATON_EDITOR = getpid()

augroup baton
  autocmd!
  autocmd VimEnter * call baton#enter()
  autocmd BufEnter,BufDelete,BufWritePost,DirChanged * call baton#note()
  autocmd FocusGained * call baton#focus()
  autocmd CursorMoved,CursorHold,CursorHoldI,InsertLeave,TextChanged * call baton#note()
  autocmd BufReadPost,BufWritePost * let b:baton_time = getftime(expand('<afile>:p'))
augroup END

command -bar -nargs=* -complete=custom,baton#complete Baton call baton#command(<f-args>)
