# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What fish would offer.
set PATH $PWD/bin $PATH
graupel completion fish | source
for line in 'graupel reg' 'graupel optimize kno' 'graupel learn --na' \
        'graupel run -- graupel-bo' 'graupel learn --name=x graupel-bo' 'graupel show file-to-sho' \
        'graupel dsm rep' 'graupel dsm run --thr' 'graupel dsm run -n 4 graupel-bo' \
        'graupel dsm run --report fold' 'graupel dsm report --format j' 'graupel dsm run --sta' \
        'graupel dsm run --block 64 -- graupel-bo' 'graupel man dsm-ru' \
        'graupel dsm run -n 4 graupel stride ann' \
        'graupel learn -- (touch executed)' 'graupel run -- $(touch executed)x' \
        'graupel run -- \$\(touch\ execu'
    echo "$line:" (complete -C "$line" | string replace -r '\t.*' '')
end
