package import BatonCore

/// The shells for which Baton has a script.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// Reads the name of a shell, as the person typed it; throws if Baton has no script for it.
    package init(typed name: String) throws(LocalFailure) {
        guard let shell = Shell(rawValue: name) else {
            let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "\(name) is not one of the shells: \(names).")
        }
        self = shell
    }

    /// Returns the script by which a shell reports to its helper.
    ///
    /// The script starts the helper with these arguments.
    package func script(_ files: ShellFiles, helperArguments: [String]) -> VisibleText {
        let quoted = { (word: String) in self == .fish ? Shell.fishWord(word) : ShellWord.quoted(word) }
        // The text is split at one placeholder first, because the inserted path may itself contain the text of a
        // placeholder.
        let text = template.replacing("ANSWER", with: ShellFiles.answerVariable).split(
            separator: "FOLDER", omittingEmptySubsequences: false
        ).map { part in
            part.replacing("ARGUMENTS", with: helperArguments.map { " " + quoted($0) }.joined())
        }.joined(separator: quoted(files.folder))
        return VisibleText(harmless: text)
    }

    /// Quotes a word for fish.
    ///
    /// In fish, a backslash is special even between apostrophes.
    static func fishWord(_ word: String) -> String {
        "'" + word.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    private var template: String {
        switch self {
        case .bash: Self.bashTemplate
        case .zsh: Self.zshTemplate
        case .fish: Self.fishTemplate
        }
    }

    private static let bashTemplate = #"""
        # Lets Baton hand on what this shell does: eval "$(baton shell bash)"
        if [[ $- == *i* && ${__baton_shell-} != "$$" ]]; then
            __baton_shell=$$
            __baton_folder=FOLDER
            __baton_file=$__baton_folder/$$
            # Only this person may read the file, whatever the umask allows for other files.
            [[ -d $__baton_folder ]] && (umask 077 && : >>"$__baton_file") 2>/dev/null
            BATON_SEGMENT=

            # Overwrites the file of this shell with a report. No program is started, and no reader can block the shell.
            # A missing file is not created: the person has removed it, and others could read a new one. A longer previous
            # report leaves bytes after the end mark, which has the report's number: truncating a file is much slower.
            __baton_reports=0
            __baton_report() {
                if [[ -e $__baton_file ]]; then
                    {
                        printf '%s\0' 1 $((++__baton_reports)) "$PWD" "$@"
                        HISTTIMEFORMAT= builtin history 1
                        printf '\0.%d\0' $__baton_reports
                    } 1<>"$__baton_file"
                fi
            }

            __baton_prompt() {
                __baton_typed=
                __baton_report prompt ''
                BATON_SEGMENT=
                [[ -s $__baton_folder/segment ]] && IFS= read -r BATON_SEGMENT <"$__baton_folder/segment"
            } 2>/dev/null

            # The last argument is the last one of the previous command, so that the shell keeps it in `$_`.
            __baton_command() { __baton_report command "$1"; } 2>/dev/null

            # At the first prompt all other files of the shell have been read. The argument is the trap that they have set.
            __baton_begin() {
                __baton_found=$1
                __baton_trap=
                if [[ ${bash_preexec_imported-}${__bp_imported-} ]]; then
                    preexec_functions+=(__baton_command)
                elif [[ -z $1 ]]; then
                    __baton_trap=1
                    PS0='${PS0:$((__baton_typed=1,0)):0}'"${PS0-}"
                fi
            }

            __baton_return() { return "$1"; }

            # The trap is set at each prompt, and removed by the first command after it.
            __baton_hook='__baton_status=$?; __baton_prompt; [[ ${__baton_found+set} ]] || __baton_begin "$(trap -p DEBUG)"'
            __baton_hook+='; [[ -z $__baton_trap ]] || trap '\''__baton_last=$_; if [[ $__baton_typed ]]; then trap - DEBUG; __baton_command "$BASH_COMMAND" "$__baton_last"; fi'\'' DEBUG'
            __baton_hook+='; __baton_return "$__baton_status"'
            if [[ ${BASH_VERSINFO[0]} -gt 5 || ${BASH_VERSINFO[0]} -eq 5 && ${BASH_VERSINFO[1]} -ge 1 ]]; then
                PROMPT_COMMAND=(${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"} "$__baton_hook")
            else
                PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}$__baton_hook
            fi

            baton() {
                local answer=$__baton_file.answer folder status=0
                ANSWER=$answer command baton "$@" || status=$?
                if [[ -s $answer ]]; then
                    IFS= read -r -d '' folder <"$answer"
                    : >|"$answer"
                    builtin cd -- "$folder" || status=$?
                fi
                return $status
            }

            # The typed line is stored, and restored after the picker. No keyboard has the keys in between. The prompt
            # and the line that opens the picker are erased, so that they do not stay above the next prompt.
            __baton_keep() {
                __baton_line=$READLINE_LINE __baton_point=$READLINE_POINT READLINE_LINE=' __baton_pick'
                local prompt= line
                [[ ${BASH_VERSINFO[0]} -ge 5 ]] && prompt=${PS1@P}
                while [[ $prompt == *$'\001'*$'\002'* ]]; do
                    prompt=${prompt%%$'\001'*}${prompt#*$'\002'}
                done
                __baton_rows=0
                while IFS= read -r line; do
                    ((__baton_rows += ${#line} > COLUMNS ? (${#line} + COLUMNS - 1) / COLUMNS : 1))
                done <<<"$prompt$READLINE_LINE"
            }
            __baton_pick() {
                printf '\e[%dA\r\e[J' "$__baton_rows"
                baton
            }
            __baton_put_back() { READLINE_LINE=$__baton_line READLINE_POINT=$__baton_point; }
            if [[ -n ${BATON_KEY-\C-^} ]]; then
                for __baton_keys in emacs vi-insert vi-command; do
                    bind -m "$__baton_keys" -x '"\e[90210~": __baton_keep'
                    bind -m "$__baton_keys" -x '"\e[90211~": __baton_put_back'
                    bind -m "$__baton_keys" "\"${BATON_KEY-\C-^}\": \"\e[90210~\C-m\e[90211~\""
                done
                unset __baton_keys
            fi

            (command baton shell --follow "$$"ARGUMENTS </dev/null >/dev/null 2>&1 &)
        fi
        """#

    private static let zshTemplate = #"""
        # Lets Baton hand on what this shell does: eval "$(baton shell zsh)"
        if [[ -o interactive && ${__baton_shell-} != $$ ]]; then
            typeset -g __baton_shell=$$
            typeset -g __baton_folder=FOLDER
            typeset -g __baton_file=$__baton_folder/$$
            # Only this person may read the file, whatever the umask allows for other files.
            [[ -d $__baton_folder ]] && (umask 077 && : >>|"$__baton_file") 2>/dev/null
            typeset -g BATON_SEGMENT=

            # Overwrites the file of this shell with a report. No program is started, and no reader can block the shell.
            # A missing file is not created: the person has removed it, and others could read a new one. A longer previous
            # report leaves bytes after the end mark, which has the report's number: truncating a file is much slower.
            typeset -gi __baton_reports=0
            __baton_report() {
                if [[ -e $__baton_file ]]; then
                    { printf '%s\0' 1 $((++__baton_reports)) "$PWD" "$@" .$__baton_reports 1<>"$__baton_file" } 2>/dev/null
                fi
            }

            __baton_prompt() {
                __baton_report prompt
                BATON_SEGMENT=
                [[ -s $__baton_folder/segment ]] && IFS= read -r BATON_SEGMENT <"$__baton_folder/segment"
                return 0
            } 2>/dev/null

            __baton_command() { __baton_report command "$1" }

            autoload -Uz add-zsh-hook
            add-zsh-hook precmd __baton_prompt
            add-zsh-hook preexec __baton_command

            baton() {
                local answer=$__baton_file.answer folder
                local -i code=0
                ANSWER=$answer command baton "$@" || code=$?
                if [[ -s $answer ]]; then
                    IFS= read -r -d '' folder <"$answer"
                    : >|"$answer"
                    builtin cd -- "$folder" || code=$?
                fi
                return $code
            }

            # The typed line is restored after the picker. The prompt and the line that opens the picker are erased, so that they
            # do not stay above the next prompt.
            __baton_pick() {
                local line prompt=${(S%%)PS1//(\%\{*\%\}|\%[BSUbfksu]|\%[FK]\{*\})/}
                typeset -gi __baton_rows=0
                zle push-line
                BUFFER=' __baton_open'
                for line in "${(@f)prompt}"; do
                    ((__baton_rows += ${#line} > COLUMNS ? (${#line} + COLUMNS - 1) / COLUMNS : 1))
                done
                zle accept-line
            }
            __baton_open() {
                printf '\e[%dA\r\e[J' $__baton_rows
                baton
            }
            if [[ -n ${BATON_KEY-^^} ]]; then
                zle -N __baton_pick
                bindkey -M emacs "${BATON_KEY-^^}" __baton_pick
                bindkey -M viins "${BATON_KEY-^^}" __baton_pick
                bindkey -M vicmd "${BATON_KEY-^^}" __baton_pick
            fi

            (command baton shell --follow "$$"ARGUMENTS </dev/null >/dev/null 2>&1 &)
        fi
        """#

    private static let fishTemplate = #"""
        # Lets Baton hand on what this shell does: baton shell fish | source
        if status is-interactive; and not set -q __baton_file
            set -g __baton_folder FOLDER
            set -g __baton_file $__baton_folder/$fish_pid
            # Only this person may read the file, whatever the umask allows for other files.
            if test -d $__baton_folder
                set -l mask (umask)
                umask 077
                true >>$__baton_file
                umask $mask
            end
            set -g BATON_SEGMENT

            # Overwrites the file of this shell with a report. No program is started, and no reader can block the shell.
            # A missing file is not created: the person has removed it, and others could read a new one.
            function __baton_prompt --on-event fish_prompt
                test -e $__baton_file; and printf '%s\0' 1 0 $PWD prompt .0 >$__baton_file
                set -g BATON_SEGMENT
                test -s $__baton_folder/segment; and read -g BATON_SEGMENT <$__baton_folder/segment
            end

            function __baton_command --on-event fish_preexec
                test -e $__baton_file; and printf '%s\0' 1 0 $PWD command "$argv[1]" .0 >$__baton_file
            end

            function baton --wraps baton
                set -lx ANSWER $__baton_file.answer
                command baton $argv
                set -l code $status
                if test -s $ANSWER
                    read -lz folder <$ANSWER
                    echo -n >$ANSWER
                    builtin cd -- $folder; or set code $status
                end
                return $code
            end

            function __baton_pick
                baton
                commandline -f repaint
            end
            set -q BATON_KEY; or set -l BATON_KEY \x1e
            if test -n "$BATON_KEY"
                for mode in default insert visual
                    bind -M $mode $BATON_KEY __baton_pick
                end
            end

            command baton shell --follow $fish_pidARGUMENTS </dev/null >/dev/null 2>&1 &
            disown
        end
        """#
}
