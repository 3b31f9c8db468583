package import BatonCore

/// The completion scripts of the shells.
///
/// A script passes the typed words to `baton complete`, which knows the options of the installed version. So the
/// completions always match the command.
extension Shell {
    /// The script that the shell must load.
    package var completions: VisibleText { VisibleText(harmless: text) }

    private var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    private static let bashText = #"""
        # Completes what is typed behind `baton`, in bash: source <(baton completions bash)

        _baton() {
            local line=${COMP_LINE:0:COMP_POINT} words=() word place answer current cut="" quote="" kind rest
            # Bash cuts words at `=` and `:`; what was typed without a space between belongs together.
            for ((place = 0; place <= COMP_CWORD; place++)); do
                word=${COMP_WORDS[place]}
                if ((place == 0)) || [[ $line == [[:space:]]* ]]; then
                    line=${line#"${line%%[![:space:]]*}"}
                    words+=("")
                fi
                ((place == COMP_CWORD)) && word=$line
                words[${#words[@]} - 1]+=$word
                line=${line#"$word"}
            done
            current=${words[${#words[@]} - 1]}
            [[ $current == [\"\']* ]] && quote=${current:0:1}
            for place in "${!words[@]}"; do
                word=${words[place]//\\/}
                word=${word#[\"\']}
                words[place]=${word%[\"\']}
            done
            current=${words[${#words[@]} - 1]}
            # The part that bash has cut off stays as it was typed.
            [[ -z $quote && $current == *[=:]* ]] && cut=${current%"${current##*[=:]}"}
            answer=$("${words[0]:-baton}" complete -- "${words[@]:1}" 2>/dev/null) || return 0
            kind=${answer%%$'\n'*}
            COMPREPLY=()
            # Without a second line there is nothing to offer.
            [[ $kind != words || $answer == *$'\n'* ]] || return 0
            case $kind in
                files | folders)
                    [[ $current == --*=* ]] && current=${current#*=}
                    compopt -o filenames 2>/dev/null
                    if [[ $kind == files ]]; then word=-f; else word=-d; fi
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$word" -- "$current")
                    ;;
                words)
                    while IFS=$'\t' read -r word rest; do
                        [[ -n $word ]] || continue
                        word=${word#"$cut"}
                        # No word that is offered has a character that ends or escapes a quotation, but for the apostrophe.
                        case $quote in
                            "") printf -v word %q "$word" ;;
                            \') [[ $word != *\'* ]] || continue ;;
                        esac
                        COMPREPLY+=("$word")
                    done <<<"${answer#*$'\n'}"
                    ;;
            esac
        }
        complete -F _baton baton
        """#

    private static let zshText = #"""
        #compdef baton
        # Completes what is typed behind `baton`, in zsh: source <(baton completions zsh), or put it into a folder of
        # $fpath under the name _baton.

        _baton() {
            local -a answer candidates
            local line name
            answer=("${(@f)$(${words[1]} complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            case $answer[1] in
                files)
                    [[ $PREFIX == --*=* ]] && compset -P '*='
                    _files
                    ;;
                folders)
                    [[ $PREFIX == --*=* ]] && compset -P '*='
                    _files -/
                    ;;
                words)
                    for line in "${(@)answer[2,-1]}"; do
                        name=${line%%$'\t'*}
                        [[ -n $name ]] && candidates+=("${name//:/\\:}:${line#*$'\t'}")
                    done
                    (( $#candidates )) && _describe -V baton candidates
                    ;;
            esac
        }

        if [[ $funcstack[1] == _baton ]]; then
            _baton "$@"
        else
            compdef _baton baton
        fi
        """#

    private static let fishText = #"""
        # Completes what is typed behind `baton`, in fish: baton completions fish | source

        function __baton_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l answer ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
            set -l head (string match -r -- '^--[^=]*=' "$current")
            set -l value (string replace -r -- '^--[^=]*=' '' "$current")
            switch "$answer[1]"
                case files
                    for path in (__fish_complete_path "$value")
                        echo "$head$path"
                    end
                case folders
                    for path in (__fish_complete_directories "$value")
                        echo "$head$path"
                    end
                case words
                    printf '%s\n' $answer[2..-1]
            end
        end

        complete -c baton -f -a '(__baton_complete)'
        """#
}
