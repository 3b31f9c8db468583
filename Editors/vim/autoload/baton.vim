" Baton: your other machines see which file you edit, and go on with it.
"
" A helper, `baton editor --follow`, does everything that needs the node or the disk. Lines of JSON go to it and come
" from it, and nothing here waits for it. No text that came from elsewhere is ever part of a command: files are opened
" by the numbers of their buffers.

" The pause between something that a person does and the report about it, in milliseconds.
let s:pause = 200
" The time after which a helper that has ended is started again, in seconds.
let s:patience = 60
" The most characters of a buffer that are sent along.
let s:text_most = 262144

let s:editor = has('nvim') ? 'neovim' : 'vim'
let s:helper = v:null
let s:started = 0
let s:timer = 0
let s:sent = ''
" Whether the person has come back to this editor since the last report.
let s:focused = 0
" The buffer that was current last, of those that have files.
let s:buffer = 0
" The last offer of changes of another machine: lists of `file` and `diff`.
let s:changes = []
" The file beside which they came.
let s:beside = ''
let s:picker = 0
" The buffer with what was told last in a window of its own.
let s:told = 0

" MARK: Noting

function! baton#enter() abort
  call baton#note()
  let l:text = $BATON_OPENING
  if l:text ==# '' | return | endif
  " Programs that are started here must not take it for theirs.
  unlet $BATON_OPENING
  let l:opening = s:decode(l:text)
  " In a newer Neovim, the process that was started shows the screen, and this one is its child.
  let l:processes = [getpid()] + (has('nvim') ? [luaeval('vim.loop.os_getppid()')] : [])
  if index(l:processes, get(l:opening, 'process', 0)) >= 0
    call s:open(l:opening)
  endif
endfunction

" Called for every event that may have changed what is to be told.
function! baton#note() abort
  if s:timer == 0
    let s:timer = timer_start(s:pause, function('s:report'))
  endif
endfunction

" Called when the person comes back from another window: of several editors in a folder, this one is in use now.
function! baton#focus() abort
  let s:focused = 1
  call baton#note()
endfunction

function! s:report(timer) abort
  let s:timer = 0
  let l:state = s:state()
  let l:line = json_encode({'at': l:state})
  if l:line ==# s:sent && !s:focused | return | endif
  if s:send(s:focused ? json_encode({'at': l:state, 'focus': v:true}) : l:line)
    let [s:sent, s:focused] = [l:line, 0]
  endif
endfunction

" Whether a buffer is that of a file which may be told.
function! s:is_file(buffer) abort
  return getbufvar(a:buffer, '&buftype') ==# '' && bufname(a:buffer) !~# '^$\|^\a[-+.a-zA-Z0-9]*://'
        \ && !getbufvar(a:buffer, 'baton_private') && getbufvar(a:buffer, '&key') ==# ''
endfunction

function! s:state() abort
  let l:state = {'folder': getcwd(), 'open': [], 'unsaved': []}
  for l:info in getbufinfo({'buflisted': 1})
    if !s:is_file(l:info.bufnr) | continue | endif
    call add(l:state.open, l:info.name)
    if l:info.changed | call add(l:state.unsaved, l:info.name) | endif
  endfor
  " Beside help, a terminal or a list, the file before goes on.
  if s:is_file(bufnr('%'))
    let s:buffer = bufnr('%')
    let s:place = [line('.'), charcol('.')]
  elseif &buftype ==# '' && bufname('%') !=# ''
    let s:buffer = 0
  endif
  if s:buffer && buflisted(s:buffer)
    call extend(l:state, {
          \ 'file': fnamemodify(bufname(s:buffer), ':p'), 'line': s:place[0], 'column': s:place[1]})
  endif
  return l:state
endfunction

" MARK: The helper

" Sends a line to the helper, and starts it if need be; returns whether it was sent.
function! s:send(line) abort
  if s:helper is v:null && !s:start() | return 0 | endif
  try
    if has('nvim')
      call chansend(s:helper, a:line . "\n")
    else
      call ch_sendraw(s:helper, a:line . "\n")
    endif
    return 1
  catch
    " It has just ended, of which its own event tells.
    return 0
  endtry
endfunction

function! s:start() abort
  if s:started && localtime() - s:started < s:patience || !executable('baton') | return 0 | endif
  let s:started = localtime()
  let l:command = ['baton', 'editor', '--follow', s:editor]
  if has('nvim')
    let l:job = jobstart(l:command, {
          \ 'on_stdout': function('s:read'), 'on_exit': {job, status, event -> s:ended(job)}})
    if l:job <= 0 | return 0 | endif
    let s:helper = l:job
  else
    let l:job = job_start(l:command, {
          \ 'in_mode': 'raw', 'out_mode': 'nl', 'err_io': 'null', 'noblock': 1,
          \ 'out_cb': {channel, line -> s:take(line)}, 'exit_cb': {job, status -> s:ended(job)}})
    if job_status(l:job) !=# 'run' | return 0 | endif
    let s:helper = l:job
  endif
  return 1
endfunction

function! s:ended(job) abort
  let s:helper = v:null
  let s:sent = ''
endfunction

" The lines of a job of Neovim arrive in parts.
let s:part = ''
function! s:read(job, parts, event) abort
  let s:part .= a:parts[0]
  for l:part in a:parts[1:]
    let l:line = s:part
    let s:part = l:part
    call s:take(l:line)
  endfor
endfunction

function! s:decode(text) abort
  try
    let l:value = json_decode(a:text)
    return type(l:value) == v:t_dict ? l:value : {}
  catch
    return {}
  endtry
endfunction

function! s:take(line) abort
  let l:event = s:decode(a:line)
  let l:name = get(l:event, 'event', '')
  if l:name ==# 'save'
    call s:save(l:event.number)
  elseif l:name ==# 'ask'
    " In the middle of a question or a command line nothing can be opened.
    if mode() !~# '^[cr!]' && getcmdwintype() ==# ''
      call s:send(json_encode({'ready': l:event.number}))
    endif
  elseif l:name ==# 'open'
    call s:open(l:event)
  elseif l:name ==# 'applied'
    call s:replace(l:event.file, l:event.text)
  elseif l:name ==# 'tell'
    call s:echo([l:event.text])
  endif
endfunction

" Shows lines to the person: one in the last line of the screen, and more in a window, for Vim would cut a line that is
" too long there, and show only the last one of several.
function! s:echo(lines) abort
  redraw
  let l:fits = len(a:lines) <= 1 && strdisplaywidth('baton: ' . join(a:lines)) <= v:echospace
  if !l:fits && mode() =~# '^[ni]' && getcmdwintype() ==# '' && s:show_lines(a:lines) | return | endif
  for l:line in a:lines
    echomsg 'baton: ' . l:line
  endfor
endfunction

" Shows lines in a window at the bottom, beside which the person goes on; returns whether there was room for it.
function! s:show_lines(lines) abort
  call s:forget_lines()
  let l:window = win_getid()
  try
    noautocmd botright new
  catch /^Vim\%((\a\+)\)\=:E36:/
    return 0
  endtry
  let s:told = bufnr('%')
  setlocal buftype=nofile bufhidden=wipe noswapfile nomodeline nobuflisted
  setlocal wrap nonumber norelativenumber nolist nospell signcolumn=no foldcolumn=0 winfixheight
  setlocal statusline=baton
  call setline(1, a:lines)
  setlocal nomodifiable nomodified
  let l:rows = 0
  for l:line in a:lines
    let l:rows += max([1, (strdisplaywidth(l:line) + &columns - 1) / &columns])
  endfor
  execute 'resize' min([l:rows, &lines / 2])
  " It does not keep Vim open when the last other window is closed.
  autocmd WinEnter <buffer> ++nested if winnr('$') == 1 | quit | endif
  noautocmd call win_gotoid(l:window)
  redraw
  return 1
endfunction

" Closes the window of what was told last.
function! s:forget_lines() abort
  if s:told && bufexists(s:told)
    execute 'bwipeout!' s:told
  endif
  let s:told = 0
endfunction

" MARK: Saving

" Another machine continues: it gets the present state, and the changes as the person has allowed.
function! s:save(number) abort
  let l:how = get(g:, 'baton_unsaved', 'tell')
  let l:answer = {'saved': a:number}
  let l:changed = filter(getbufinfo({'buflisted': 1, 'bufmodified': 1}), 's:is_file(v:val.bufnr)')
  if l:how ==# 'write'
    for l:info in l:changed | call s:write(l:info) | endfor
  elseif l:how ==# 'send'
    let l:answer.texts = {}
    for l:info in l:changed
      let l:text = s:text(l:info.bufnr)
      if strlen(l:text) <= s:text_most | let l:answer.texts[l:info.name] = l:text | endif
    endfor
  endif
  let l:answer.at = s:state()
  call s:send(json_encode(l:answer))
endfunction

" Writes a buffer, unless Vim would ask something.
function! s:write(info) abort
  let l:buffer = a:info.bufnr
  if getbufvar(l:buffer, '&readonly') || getftime(a:info.name) != getbufvar(l:buffer, 'baton_time', -2)
    return
  endif
  try
    if l:buffer == bufnr('%')
      silent update
    elseif !empty(a:info.windows)
      call win_execute(a:info.windows[0], 'silent update')
    else
      execute 'noautocmd keepalt sbuffer' l:buffer
      try
        silent update
      finally
        noautocmd close
      endtry
    endif
  catch
    call s:echo([v:exception])
  endtry
endfunction

" The text of a buffer as it would be written; empty if it would not be UTF-8.
function! s:text(buffer) abort
  if getbufvar(a:buffer, '&fileencoding') !~# '^\(utf-8\)\?$' || getbufvar(a:buffer, '&bomb')
    return ''
  endif
  let l:end = {'dos': "\r\n", 'mac': "\r"}
  let l:end = get(l:end, getbufvar(a:buffer, '&fileformat'), "\n")
  return join(getbufline(a:buffer, 1, '$'), l:end) . (getbufvar(a:buffer, '&endofline') ? l:end : '')
endfunction

" MARK: Opening

" Opens a file at its line, and lists the others that are open there.
function! s:open(opening) abort
  if s:picker && bufexists(s:picker)
    execute 'bwipeout!' s:picker
    let s:picker = 0
  endif
  call s:forget_lines()
  for l:file in a:opening.others
    call setbufvar(bufadd(l:file), '&buflisted', 1)
  endfor
  let l:lines = get(a:opening, 'text', '') ==# '' ? [] : [a:opening.text]
  if s:show(bufadd(a:opening.file))
    call add(l:lines, 'opened for reading: another Vim has it, or left a swap file')
  endif
  if a:opening.line isnot v:null
    let l:column = a:opening.column is v:null ? 1 : a:opening.column
    call setcursorcharpos(a:opening.line, l:column)
    silent! normal! zv
  endif
  let [s:changes, s:beside] = [a:opening.changes, a:opening.file]
  let l:lines += a:opening.notes
  if !empty(s:changes)
    call add(l:lines, 'changes of ' . join(s:changed_files(), ', ') . ' there: :Baton diff, :Baton apply')
  endif
  call s:echo(l:lines)
  call baton#note()
endfunction

" The paths of the files that another machine has changes of.
function! s:changed_files() abort
  return map(copy(s:changes), 'fnamemodify(v:val.file, ":~")')
endfunction

" Shows a buffer in a window for files; returns whether another Vim has it open.
function! s:show(buffer) abort
  call setbufvar(a:buffer, '&buflisted', 1)
  let l:windows = win_findbuf(a:buffer)
  if !empty(l:windows)
    call win_gotoid(l:windows[0])
    return 0
  endif
  if mode() =~# "^[vV\<C-v>sS\<C-s>]" | execute "normal! \<Esc>" | endif
  if mode() =~# '^[iR]' | stopinsert | endif
  if &buftype !=# '' || &previewwindow
    let l:fit = filter(range(1, winnr('$')),
          \ 'getwinvar(v:val, "&buftype") ==# "" && !getwinvar(v:val, "&previewwindow")')
    if empty(l:fit)
      new
    else
      execute l:fit[0] . 'wincmd w'
    endif
  endif
  let s:swapped = 0
  augroup baton_swap
    autocmd!
    autocmd SwapExists * let s:swapped = 1 | let v:swapchoice = 'o'
  augroup END
  try
    execute (&modified && !&hidden && &bufhidden ==# '' ? 'sbuffer' : 'buffer') a:buffer
  finally
    autocmd! baton_swap
  endtry
  return s:swapped
endfunction

" Replaces the text of a buffer by that of another machine; nothing is written.
function! s:replace(file, text) abort
  let l:buffer = bufadd(a:file)
  call bufload(l:buffer)
  if getbufvar(l:buffer, '&modified') || !getbufvar(l:buffer, '&modifiable')
    return s:echo([fnamemodify(a:file, ':~') . ' has changes of its own here; see :Baton diff'])
  endif
  call s:show(l:buffer)
  let l:ends = &fileformat ==# 'dos' ? "\r\n" : &fileformat ==# 'mac' ? "\r" : "\n"
  let l:lines = split(a:text, l:ends, 1)
  if len(l:lines) > 1 && l:lines[-1] ==# '' | call remove(l:lines, -1) | endif
  let l:place = winsaveview()
  call setbufline(l:buffer, 1, l:lines)
  call deletebufline(l:buffer, len(l:lines) + 1, '$')
  call winrestview(l:place)
endfunction

" MARK: Commands

let s:commands = ['apply', 'continue', 'diff', 'pick', 'private', 'status']

function! baton#complete(lead, line, place) abort
  let l:words = split(a:line[:a:place], '\s\+', 1)
  if len(l:words) <= 2 | return join(s:commands, "\n") | endif
  return l:words[1] ==# 'private' ? "on\noff" : ''
endfunction

function! baton#command(...) abort
  let l:name = a:0 ? a:1 : 'pick'
  if index(s:commands, l:name) < 0
    return s:echo([l:name . ' is not one of: ' . join(s:commands, ', ')])
  elseif !executable('baton')
    return s:echo(['The program baton is not installed, or not on PATH.'])
  endif
  if l:name ==# 'continue'
    let s:started = s:helper is v:null ? 0 : s:started
    call s:send(json_encode({'continue': a:0 > 1 ? join(a:000[1:], ' ') : v:true}))
  elseif l:name ==# 'pick'
    call s:pick()
  elseif l:name ==# 'diff'
    call s:diff()
  elseif l:name ==# 'apply'
    call s:apply()
  else
    call s:run(['baton'] + a:000)
  endif
endfunction

" Takes the changes of another machine, after a question if they are for more than the file that was continued.
function! s:apply() abort
  if empty(s:changes) | return s:echo(['No other machine has sent changes.']) | endif
  let l:question = "Take changes into these files?\n" . join(s:changed_files(), "\n")
  if (len(s:changes) > 1 || s:changes[0].file !=# s:beside) && confirm(l:question, "&Yes\n&No", 2) != 1 | return | endif
  for l:change in s:changes
    call s:send(json_encode({'apply': l:change.file, 'diff': l:change.diff, 'beside': s:beside}))
  endfor
endfunction

" Shows the changes of another machine.
function! s:diff() abort
  if empty(s:changes) | return s:echo(['No other machine has sent changes.']) | endif
  new
  setlocal buftype=nofile bufhidden=wipe noswapfile nomodeline nobuflisted
  call setline(1, split(join(map(copy(s:changes), 'v:val.diff'), ''), "\n"))
  setlocal filetype=diff nomodifiable
endfunction

" Opens the list of what goes on, in a terminal.
function! s:pick() abort
  if has('nvim')
    new
    call termopen(['baton', 'pick'])
    let s:picker = bufnr('%')
    startinsert
  elseif has('terminal')
    let s:picker = term_start(['baton', 'pick'], {'term_name': 'baton', 'norestore': 1})
  else
    call s:echo(['This Vim has no terminals; type `baton` in a shell.'])
  endif
endfunction

" Runs a command of baton, and shows what it prints.
function! s:run(command) abort
  let l:lines = []
  if has('nvim')
    let l:options = {'stdout_buffered': 1, 'stderr_buffered': 1, 'stdin': 'null'}
    let l:options.on_stdout = {job, data, event -> extend(l:lines, filter(data, 'v:val !=# ""'))}
    let l:options.on_stderr = l:options.on_stdout
    let l:options.on_exit = {job, status, event -> s:echo(l:lines)}
    call jobstart(a:command, l:options)
  else
    call job_start(a:command, {
          \ 'in_io': 'null', 'callback': {channel, line -> add(l:lines, line)},
          \ 'close_cb': {channel -> s:echo(l:lines)}})
  endif
endfunction
